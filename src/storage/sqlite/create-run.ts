import { RuntimeError } from '../../core/errors.ts';
import type { SealedDraft } from '../../core/events/event.ts';
import type { RunId } from '../../core/ids.ts';
import type { Run } from '../../core/runs/run.ts';
import { runNotFound } from '../../core/runs/run-not-found.ts';
import type { CreateOptions, CreateResult, NewRun } from '../../core/runs/run-store.ts';
import type { AddEvents } from './event-writes.ts';
import type { GrantLease } from './lease-writes.ts';
import { getRow } from './rows.ts';
import { newRunHead, type RunHead } from './run-heads.ts';
import { newRun, type RunRow, SELECT_RUN, toRun } from './run-row.ts';
import type { WriteContext } from './write-context.ts';

export function createCreateRun(
  context: WriteContext,
  addEvents: AddEvents,
  grantLease: GrantLease,
) {
  const { db } = context;
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const selectQueued = db.prepare(`SELECT runs FROM run_counts WHERE status = 'queued'`);
  const selectTaken = db.prepare('SELECT 1 FROM runs WHERE id = ?');
  const keys = createKeys(context);
  const insert = createInsert(context);

  function getRun(id: RunId): Run {
    const row = getRow<RunRow>(selectRun, id);
    if (!row) throw runNotFound(id);
    return toRun(row);
  }

  function refusal(run: NewRun, options: CreateOptions): CreateResult | undefined {
    const known = options.idempotency && keys.find(options.idempotency.key);
    if (known && known.digest !== options.idempotency?.digest) return { outcome: 'conflict' };
    if (known) return { outcome: 'replayed', run: getRun(known.runId) };
    const queued = getRow<{ runs: number }>(selectQueued)?.runs ?? 0;
    if (queued >= options.maxQueued) return { outcome: 'queue_full' };
    if (!getRow(selectTaken, run.id)) return undefined;
    throw new RuntimeError('conflict', `run ${run.id} exists already`);
  }

  return (run: NewRun, drafts: readonly SealedDraft[], options: CreateOptions): CreateResult => {
    const refused = refusal(run, options);
    if (refused) return refused;
    const no = insert(run);
    if (options.idempotency) keys.add(options.idempotency, no);
    // Known without reading: a new run has no events and nobody holds it.
    const head = newRunHead(no, run);
    addEvents(head, drafts);
    const nowMs = context.nowMs();
    if (!options.lease) {
      context.touchQueue();
      return { outcome: 'created', run: newRun(run, head, nowMs), lease: undefined };
    }
    addEvents(head, [options.lease.started]);
    const lease = grantLease(head, options.lease);
    const held: RunHead = { ...head, status: 'running', leaseId: lease.id };
    context.heads.add(held);
    return { outcome: 'created', run: newRun(run, held, nowMs), lease };
  };
}

function createInsert(context: WriteContext) {
  const insertRun = context.db.prepare(`
    INSERT INTO runs (id, agent_id, session_id, source, status, created_at_ms)
    VALUES (?, ?, ?, ?, 'queued', ?)`);
  const insertText = context.db.prepare('INSERT INTO run_texts (run_no, message) VALUES (?, ?)');

  return ({ id, agentId, sessionId, source, message }: NewRun): number => {
    const inserted = insertRun.run(id, agentId, sessionId ?? null, source, context.nowMs());
    const no = Number(inserted.lastInsertRowid);
    insertText.run(no, JSON.stringify(message));
    return no;
  };
}

function createKeys(context: WriteContext) {
  const select = context.db.prepare(`
    SELECT digest, runs.id AS runId FROM idempotency_keys
    JOIN runs ON runs.no = idempotency_keys.run_no WHERE key = ?`);
  const insert = context.db.prepare(
    'INSERT INTO idempotency_keys (key, digest, run_no, created_at_ms) VALUES (?, ?, ?, ?)',
  );

  return {
    find: (key: string) => getRow<{ digest: string; runId: RunId }>(select, key),
    add({ key, digest }: { readonly key: string; readonly digest: string }, runNo: number): void {
      insert.run(key, digest, runNo, context.nowMs());
    },
  };
}
