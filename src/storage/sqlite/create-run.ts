import { RuntimeError } from '../../core/errors.ts';
import type { SealedDraft } from '../../core/events/event.ts';
import { CHAIN_ROOT } from '../../core/events/hash-chain.ts';
import type { RunId } from '../../core/ids.ts';
import type { CreateOptions, CreateResult, NewRun } from '../../core/runs/run-store.ts';
import type { AddEvents } from './event-writes.ts';
import type { GrantLease } from './lease-writes.ts';
import { type RunRow, SELECT_RUN, toRun } from './run-row.ts';
import { getRow, type WriteContext } from './write-context.ts';

export type CreateRun = (
  run: NewRun,
  drafts: readonly SealedDraft[],
  options: CreateOptions,
) => CreateResult;

export function createCreateRun(
  context: WriteContext,
  addEvents: AddEvents,
  grantLease: GrantLease,
): CreateRun {
  const { db } = context;
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const selectKey = db.prepare(`
    SELECT digest, runs.id AS run_id FROM idempotency_keys
    JOIN runs ON runs.no = idempotency_keys.run_no WHERE key = ?`);
  const selectQueued = db.prepare(`SELECT runs FROM run_counts WHERE status = 'queued'`);
  const selectTaken = db.prepare('SELECT 1 FROM runs WHERE id = ?');
  const insertRun = db.prepare(`
    INSERT INTO runs (id, agent_id, session_id, source, status, last_seq, last_hash, created_at_ms, updated_at_ms)
    VALUES (?, ?, ?, ?, 'queued', 0, '${CHAIN_ROOT}', ?, ?)`);
  const insertText = db.prepare('INSERT INTO run_texts (run_no, message) VALUES (?, ?)');
  const insertKey = db.prepare(
    'INSERT INTO idempotency_keys (key, digest, run_no, created_at_ms) VALUES (?, ?, ?, ?)',
  );

  function getRun(id: RunId) {
    const row = getRow<RunRow>(selectRun, id);
    if (!row) throw new RuntimeError('not_found', `run ${id} does not exist`);
    return toRun(row);
  }

  /** The answer to a request that was made before, when it was. */
  function findEarlier(options: CreateOptions): CreateResult | undefined {
    if (!options.idempotency) return undefined;
    const { key, digest } = options.idempotency;
    const known = getRow<{ digest: string; run_id: RunId }>(selectKey, key);
    if (!known) return undefined;
    if (known.digest !== digest) return { outcome: 'conflict' };
    return { outcome: 'replayed', run: getRun(known.run_id) };
  }

  return (run, drafts, options) => {
    const earlier = findEarlier(options);
    if (earlier) return earlier;
    const queued = getRow<{ runs: number }>(selectQueued)?.runs ?? 0;
    if (queued >= options.maxQueued) return { outcome: 'queue_full' };
    if (getRow(selectTaken, run.id)) {
      throw new RuntimeError('conflict', `run ${run.id} exists already`);
    }

    const nowMs = context.nowMs();
    const { id, agentId, sessionId, source, message } = run;
    const inserted = insertRun.run(id, agentId, sessionId ?? null, source, nowMs, nowMs);
    const no = Number(inserted.lastInsertRowid);
    insertText.run(no, JSON.stringify(message));
    if (options.idempotency) {
      insertKey.run(options.idempotency.key, options.idempotency.digest, no, nowMs);
    }
    const begun = { no, id, agent_id: agentId, last_seq: 0, last_hash: CHAIN_ROOT };
    const end = addEvents(begun, drafts);
    if (!options.lease) {
      context.touchQueue();
      return { outcome: 'created', run: getRun(id), lease: undefined };
    }
    const lease = grantLease(end, options.lease);
    addEvents(end, [options.lease.started]);
    return { outcome: 'created', run: getRun(id), lease };
  };
}
