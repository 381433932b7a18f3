import { RuntimeError } from '../../../core/errors.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { RunId } from '../../../core/ids.ts';
import { OPERATOR } from '../../../core/principal.ts';
import type { Run } from '../../../core/runs/run.ts';
import { runNotFound } from '../../../core/runs/run-not-found.ts';
import type { CreateOptions, CreateResult, NewRun } from '../../../core/runs/run-store.ts';
import { encodeForkPoint } from '../../fork-column.ts';
import { encodeOwner } from '../../owner-column.ts';
import { createIsAsleep } from '../agent-status.ts';
import { toJsonText } from '../json-text.ts';
import { getRow } from '../rows.ts';
import { createJoinSession, isRefusal } from '../sessions/join-session.ts';
import type { WriteContext } from '../write-context.ts';
import type { AddEvents } from './event-writes.ts';
import type { GrantLease } from './lease-writes.ts';
import { newRunHead, type RunHead, type SessionPlace } from './run-heads.ts';
import { newRun, type RunRow, SELECT_RUN, toRun } from './run-row.ts';

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
  const refuse = createRefusal(context);
  const keys = createKeys(context);
  const insert = createInsert(context);
  const session = createJoinSession(context);

  function start(run: NewRun, head: RunHead, lease: NonNullable<CreateOptions['lease']>) {
    addEvents(head, [lease.started]);
    const granted = grantLease(head, lease);
    const held: RunHead = { ...head, status: 'running', leaseId: granted.id };
    context.heads.add(held);
    return { run: newRun(run, held, context.nowMs()), lease: granted };
  }

  return (run, drafts, options) => {
    const refused = refuse(run, options);
    if (refused) return refused;
    const found =
      run.sessionId === undefined
        ? undefined
        : session.find(run.sessionId, options.maxWaitingInSession);
    if (found && isRefusal(found)) return found;
    const place = found && session.join(found);
    const { no, isHeld } = insert(run, place);
    if (options.idempotency) keys.add(options.idempotency, no);
    // Known without reading: a new run has no events and nobody holds it.
    const awaitsFrames = run.thread !== undefined;
    const { id, agentId, owner = OPERATOR } = run;
    const head = newRunHead({ no, id, agentId, owner, session: place, awaitsFrames });
    addEvents(head, drafts);
    // One that has to wait is due when the run before it ends or its first frame comes, and that wakes the runners.
    const isDue = !awaitsFrames && !found?.isBusy && !isHeld;
    if (isDue && options.lease) {
      return { outcome: 'created', ...start(run, head, options.lease) };
    }
    if (isDue) context.touchQueue();
    return { outcome: 'created', run: newRun(run, head, context.nowMs()), lease: undefined };
  };
}

function createRefusal(context: WriteContext) {
  const { db } = context;
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const selectQueued = db.prepare(`SELECT runs FROM run_counts WHERE status = 'queued'`);
  const selectTaken = db.prepare('SELECT 1 FROM runs WHERE id = ?');
  const keys = createKeys(context);

  function getRun(id: RunId): Run {
    const row = getRow<RunRow>(selectRun, id);
    if (!row) throw runNotFound(id);
    return toRun(row);
  }

  return (run: NewRun, options: CreateOptions): CreateResult | undefined => {
    const known = options.idempotency && keys.find(options.idempotency.key);
    if (known && known.digest !== options.idempotency?.digest) return { outcome: 'conflict' };
    if (known) return { outcome: 'replayed', run: getRun(known.runId) };
    // Before there is talk of room: what is full may be so by this very run, created by a call whose answer got lost.
    if (getRow(selectTaken, run.id)) {
      throw new RuntimeError('conflict', `run ${run.id} exists already`);
    }
    const queued = getRow<{ runs: number }>(selectQueued)?.runs ?? 0;
    return queued >= options.maxQueued ? { outcome: 'queue_full' } : undefined;
  };
}

function createInsert(context: WriteContext) {
  const insertRun = context.db.prepare(`
    INSERT INTO runs (
      id, agent_id, session_id, exchange, project_id, source, status,
      thread_id, owner, stays_open, forked_from, awaits_frames, created_at_ms, is_held
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const isAsleep = createIsAsleep(context);
  const insertText = context.db.prepare('INSERT INTO run_texts (run_no, message) VALUES (?, ?)');

  return (run: NewRun, place: SessionPlace | undefined): { no: number; isHeld: boolean } => {
    const { thread } = run;
    const places = [run.sessionId ?? null, place?.exchange ?? null, run.projectId ?? null];
    const status = thread ? 'waiting' : 'queued';
    const owned = [
      toJsonText(thread?.id),
      encodeOwner(run.owner ?? OPERATOR),
      thread?.staysOpen ? 1 : 0,
      encodeForkPoint(run.forkedFrom),
    ];
    const isHeld = !thread && isAsleep(run.agentId);
    const state = [run.source, status, ...owned, thread ? 1 : 0, context.nowMs(), isHeld ? 1 : 0];
    const inserted = insertRun.run(run.id, run.agentId, ...places, ...state);
    const no = Number(inserted.lastInsertRowid);
    insertText.run(no, JSON.stringify(run.message));
    return { no, isHeld };
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
    find: (key: string) => getRow<{ digest: string; runId: RunId }>(select, toJsonText(key)),
    add({ key, digest }: { readonly key: string; readonly digest: string }, runNo: number): void {
      insert.run(toJsonText(key), digest, runNo, context.nowMs());
    },
  };
}
