import type { EffectWrite } from '../../../core/effects/effect.ts';
import { withdrawApproval } from '../../approval-rules.ts';
import { advanceEffects, closeEffect } from '../../effect-ledger.ts';
import type { RunBatch } from './run-batch.ts';
import type { RunRow } from './run-row.ts';

/** Throws before anything has changed when a step does not fit. */
export function recordEffects(batch: RunBatch, row: RunRow, writes: readonly EffectWrite[]): void {
  const { id: runId, agentId } = row;
  const context = { runId, agentId, nowMs: batch.nowMs, find: batch.effects.find };
  for (const effect of advanceEffects(context, writes)) batch.effects.put(effect);
}

/** Settles what a run leaves open when it ends: effects that nobody will come back to, questions left unanswered. */
export function closeLedger(batch: RunBatch, row: RunRow): void {
  for (const effect of batch.effects.all()) {
    const isOpen = effect.status === 'intent' || effect.status === 'sent';
    if (effect.runId === row.id && isOpen) batch.effects.put(closeEffect(effect, batch.nowMs));
  }
  for (const approval of batch.approvals.all()) {
    if (approval.runId !== row.id || approval.status !== 'pending') continue;
    batch.approvals.put(withdrawApproval(approval, batch.nowMs));
  }
}
