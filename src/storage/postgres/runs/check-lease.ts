import type { RunId } from '../../../core/ids.ts';
import { runNotFound } from '../../../core/runs/run-not-found.ts';
import type { AppendResult, LeaseRef } from '../../../core/runs/run-store.ts';
import type { RunBatch } from './run-batch.ts';
import { isEnded, type RunRow } from './run-row.ts';

export function getRun(batch: RunBatch, id: RunId): RunRow {
  const row = batch.findRun(id);
  if (!row) throw runNotFound(id);
  return row;
}

type Refusal = Extract<AppendResult, { readonly outcome: 'refused' }>;

/** Why this lease may not write; undefined when it may. */
export function refuse(row: RunRow, lease: LeaseRef): Refusal | undefined {
  if (isEnded(row)) return { outcome: 'refused', reason: 'terminal' };
  if (row.lease?.id !== lease.leaseId) return { outcome: 'refused', reason: 'lost_lease' };
  return undefined;
}
