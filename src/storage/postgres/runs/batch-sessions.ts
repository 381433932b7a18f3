import type { RunId, SessionId } from '../../../core/ids.ts';
import type { NewRun } from '../../../core/runs/run-store.ts';
import { type SealedMessage, toTitle } from '../../../core/sessions/session.ts';
import type { MessageRow } from '../sessions/message-row.ts';
import type { SessionRow } from '../sessions/session-row.ts';
import type { RunRow } from './run-row.ts';

export interface LoadedSessions {
  readonly rows: Iterable<SessionRow>;
  /** Those, among the sessions of new runs, that have a run at work or in line, and how many are queued in each. */
  readonly busy: Iterable<readonly [id: SessionId, queued: number]>;
  /** Those, among the runs claimed by name, that an older run of their session is ahead of. */
  readonly behind: Iterable<RunId>;
}

/** Locked sessions, and what the writes of one transaction add to them. */
export interface BatchSessions {
  readonly changed: ReadonlySet<SessionRow>;
  readonly messages: readonly MessageRow[];
  find(id: SessionId): SessionRow | undefined;
  /** Its runs that were queued when the transaction looked; those of this batch are not among them. */
  queuedBefore(id: SessionId): number;
  /** The next exchange of the run's session becomes the run's. Undefined when it has no session. */
  addExchange(run: NewRun): number | undefined;
  /** What the run's newest event adds to its session; nothing when it has none. */
  addMessage(run: RunRow, message: SealedMessage): void;
  /**
   * Whether an older run of its session goes on. One that ends in this very batch still counts: its end wakes the
   * queue, and whoever is behind it is found then.
   */
  isBehind(runId: RunId): boolean;
}

export function createBatchSessions(loaded: LoadedSessions, nowMs: number): BatchSessions {
  const rows = new Map<SessionId, SessionRow>();
  for (const row of loaded.rows) rows.set(row.id, row);
  const queued = new Map(loaded.busy);
  const busy = new Set(queued.keys());
  const behind = new Set(loaded.behind);
  const changed = new Set<SessionRow>();
  const messages: MessageRow[] = [];

  return {
    changed,
    messages,
    find: (id) => rows.get(id),
    queuedBefore: (id) => queued.get(id) ?? 0,
    isBehind: (runId) => behind.has(runId),

    addExchange: ({ id, sessionId, thread }) => {
      const row = sessionId === undefined ? undefined : rows.get(sessionId);
      if (!row) return undefined;
      if (busy.has(row.id)) behind.add(id);
      // One that begins at rest is in nobody's way.
      if (!thread) busy.add(row.id);
      row.lastExchange += 1;
      row.updatedAtMs = nowMs;
      changed.add(row);
      return row.lastExchange;
    },

    addMessage: (run, message) => {
      const row = run.sessionId === undefined ? undefined : rows.get(run.sessionId);
      // Runs that are older than sessions name one that was never stored, and have no place in it.
      if (!row || run.exchange === undefined) return;
      const place = { sessionId: row.id, exchange: run.exchange, position: run.lastSeq };
      messages.push({ ...place, ...message, runId: run.id, atMs: nowMs });
      countMessage(row, message, nowMs);
      changed.add(row);
    },
  };
}

/** What one more message changes of its session. The first of a user names it. */
export function countMessage(row: SessionRow, message: SealedMessage, nowMs: number): void {
  row.messageCount += 1;
  row.updatedAtMs = nowMs;
  if (message.role === 'user' && row.title === '') row.title = toTitle(message.content);
}
