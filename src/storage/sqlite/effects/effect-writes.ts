import type {
  Effect,
  EffectResolution,
  EffectWrite,
  ResolveResult,
} from '../../../core/effects/effect.ts';
import type { RequestId } from '../../../core/ids.ts';
import { advanceEffects, closeEffect, effectNotFound } from '../../effect-ledger.ts';
import { allRows, getRow } from '../rows.ts';
import type { RunHead } from '../runs/run-heads.ts';
import type { WriteContext } from '../write-context.ts';
import { type EffectRow, SELECT_EFFECT, toEffect } from './effect-row.ts';

export interface Ledger {
  /** The effects as these steps leave them. Throws when one does not fit; writes nothing. */
  plan(head: RunHead, writes: readonly EffectWrite[]): readonly Effect[];
  save(head: RunHead, effects: readonly Effect[]): void;
  /** Closes what is still open when the run ends. */
  closeOpen(head: RunHead): void;
}

export function createLedger(context: WriteContext): Ledger {
  const { db } = context;
  const select = db.prepare(`${SELECT_EFFECT} WHERE effects.id = ?`);
  const selectOpen = db.prepare(
    `${SELECT_EFFECT} WHERE effects.run_no = ? AND effects.status IN ('intent', 'sent')`,
  );
  const upsert = db.prepare(`
    INSERT INTO effects (
      id, run_no, tool, call_id, key, input_digest, status, error, created_at_ms, updated_at_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      status = excluded.status, error = excluded.error, updated_at_ms = excluded.updated_at_ms`);

  function find(id: RequestId): Effect | undefined {
    const row = getRow<EffectRow>(select, id);
    return row && toEffect(row);
  }

  function save(head: RunHead, effects: readonly Effect[]): void {
    for (const { id, tool, callId, key, inputDigest, status, error, ...times } of effects) {
      const texts = [JSON.stringify(tool), JSON.stringify(callId), toText(key)];
      const state = [inputDigest, status, toText(error)];
      upsert.run(id, head.no, ...texts, ...state, times.createdAtMs, times.updatedAtMs);
    }
  }

  return {
    plan: ({ id: runId, agentId }, writes) =>
      writes.length === 0
        ? []
        : advanceEffects({ runId, agentId, nowMs: context.nowMs(), find }, writes),

    save,

    closeOpen(head) {
      const open = allRows<EffectRow>(selectOpen, head.no).map(toEffect);
      save(
        head,
        open.map((effect) => closeEffect(effect, context.nowMs())),
      );
    },
  };
}

function toText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function createResolveEffect(context: WriteContext) {
  const select = context.db.prepare(`${SELECT_EFFECT} WHERE effects.id = ?`);
  const resolve = context.db.prepare(
    'UPDATE effects SET status = ?, resolution = ?, updated_at_ms = ? WHERE id = ?',
  );

  return (id: RequestId, { status, by, note }: Omit<EffectResolution, 'atMs'>): ResolveResult => {
    const row = getRow<EffectRow>(select, id);
    if (!row) throw effectNotFound(id);
    const effect = toEffect(row);
    if (effect.status !== 'unknown') return { outcome: 'refused', effect };
    const atMs = context.nowMs();
    const resolution = { status, by, note, atMs };
    resolve.run(status, JSON.stringify(resolution), atMs, id);
    return { outcome: 'resolved', effect: { ...effect, status, resolution, updatedAtMs: atMs } };
  };
}
