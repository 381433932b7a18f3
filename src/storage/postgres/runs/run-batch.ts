import type { Approval } from '../../../core/approvals/approval.ts';
import type { Effect } from '../../../core/effects/effect.ts';
import type { Event, SealedDraft } from '../../../core/events/event.ts';
import { hashLink } from '../../../core/events/hash-chain.ts';
import type {
  AgentId,
  ApprovalId,
  EventId,
  Ids,
  RequestId,
  RunId,
  SessionId,
} from '../../../core/ids.ts';
import { canonicalJson, isJsonObject } from '../../../core/json.ts';
import { createRowSet, type RowSet } from '../row-set.ts';
import { type BatchFrames, createBatchFrames, type KnownFrame } from './batch-frames.ts';
import { type BatchSessions, createBatchSessions, type LoadedSessions } from './batch-sessions.ts';
import type { RunRow } from './run-row.ts';

export interface EventRow {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly seq: number;
  readonly id: EventId;
  readonly type: string;
  readonly atMs: number;
  readonly actor: string;
  readonly payload: string;
  readonly redactions: string;
  readonly prevHash: string;
  readonly hash: string;
}

export interface KeyRow {
  readonly key: string;
  readonly digest: string;
  readonly run: RunRow;
}

export interface BatchStart {
  readonly ids: Ids;
  readonly node: string | undefined;
  readonly nowMs: number;
  readonly rows: Iterable<RunRow>;
  readonly due: readonly RunRow[];
  readonly sleeping: ReadonlySet<AgentId>;
  readonly keys: Iterable<KeyRow>;
  readonly queuedRuns: number;
  readonly effects: Iterable<Effect>;
  readonly approvals: Iterable<Approval>;
  readonly frames: Iterable<KnownFrame>;
  readonly sessions: LoadedSessions;
}

/** Locked runs and what the writes of one transaction do to them, until it is written back at once. */
export interface RunBatch {
  readonly ids: Ids;
  /** The state root that writes. */
  readonly node: string | undefined;
  readonly nowMs: number;
  /** Locked runs that were due when the transaction looked, oldest first. */
  readonly due: readonly RunRow[];
  readonly events: readonly EventRow[];
  readonly created: ReadonlySet<RunRow>;
  readonly changed: ReadonlySet<RunRow>;
  readonly newKeys: readonly KeyRow[];
  readonly isQueueWoken: boolean;
  /** Runs that wait in the queue, those of this batch included. */
  readonly queuedRuns: number;
  /** The same of one session. */
  queuedRunsOf(sessionId: SessionId): number;
  /** The effects that the writes name, and the open ones of runs that may end. */
  readonly effects: RowSet<RequestId, Effect>;
  /** The approvals that the writes name, and the pending ones of runs that may end. */
  readonly approvals: RowSet<ApprovalId, Approval>;
  /** The frames that the writes name. */
  readonly frames: BatchFrames;
  /** The sessions that new runs belong to, and those that get messages. */
  readonly sessions: BatchSessions;
  isAsleep(agentId: AgentId): boolean;
  findRun(id: RunId): RunRow | undefined;
  /** All that were locked or added. */
  allRuns(): Iterable<RunRow>;
  findKey(key: string): KeyRow | undefined;
  addRun(row: RunRow): void;
  addKey(key: KeyRow): void;
  /** Marks a row whose fields were changed in place. */
  touch(row: RunRow): void;
  record(row: RunRow, drafts: readonly SealedDraft[]): void;
  /** Events that the run had before, as they were. */
  restore(row: RunRow, events: readonly Event[]): void;
  /** A run may be due now. */
  wakeQueue(): void;
}

export function createRunBatch(start: BatchStart): RunBatch {
  const rows = new Map<RunId, RunRow>();
  const keys = new Map<string, KeyRow>();
  // A due run may be among the named ones too; the second time it has come with its texts.
  for (const row of [...start.rows, ...start.due]) rows.set(row.id, row);
  for (const key of start.keys) keys.set(key.key, key);
  const events: EventRow[] = [];
  const created = new Set<RunRow>();
  const changed = new Set<RunRow>();
  const newKeys: KeyRow[] = [];
  let isQueueWoken = false;
  const { nowMs, ids } = start;
  const sessions = createBatchSessions(start.sessions, nowMs);

  const touch = (row: RunRow) => {
    if (!created.has(row)) changed.add(row);
  };
  return {
    ids,
    node: start.node,
    nowMs,
    due: start.due,
    events,
    created,
    changed,
    newKeys,
    effects: createRowSet(start.effects),
    approvals: createRowSet(start.approvals),
    frames: createBatchFrames(start.frames),
    sessions,
    get isQueueWoken() {
      return isQueueWoken;
    },
    get queuedRuns() {
      return start.queuedRuns + countQueued(created);
    },
    queuedRunsOf: (sessionId) =>
      sessions.queuedBefore(sessionId) + countQueued(created, (row) => row.sessionId === sessionId),
    isAsleep: (agentId) => start.sleeping.has(agentId),
    findRun: (id) => rows.get(id),
    allRuns: () => rows.values(),
    findKey: (key) => keys.get(key),
    addRun: (row) => {
      rows.set(row.id, row);
      created.add(row);
    },
    addKey: (key) => {
      keys.set(key.key, key);
      newKeys.push(key);
    },
    touch,
    record: (row, drafts) => {
      for (const draft of drafts) {
        events.push(chain(row, draft, nowMs));
        if (draft.message) sessions.addMessage(row, draft.message);
      }
      row.updatedAtMs = nowMs;
      touch(row);
    },
    restore: (row, restored) => {
      for (const event of restored) {
        const payload = canonicalJson(event.payload);
        events.push({ ...event, payload, redactions: canonicalJson(event.redactions) });
        row.lastSeq = event.seq;
        row.lastHash = event.hash;
        row.updatedAtMs = event.atMs;
        if (event.type === 'model.requested') noteModel(row, payload);
      }
      touch(row);
    },
    wakeQueue: () => {
      isQueueWoken = true;
    },
  };
}

/** A run that rested goes to the queue, where it is held while its agent sleeps. */
export function queueRun(batch: RunBatch, row: RunRow): void {
  row.status = 'queued';
  row.isHeld = batch.isAsleep(row.agentId);
  batch.wakeQueue();
}

function countQueued(rows: Iterable<RunRow>, isCounted = (_row: RunRow) => true): number {
  let queued = 0;
  for (const row of rows) if (row.status === 'queued' && isCounted(row)) queued += 1;
  return queued;
}

function chain(row: RunRow, draft: SealedDraft, nowMs: number): EventRow {
  const link = {
    id: draft.id,
    runId: row.id,
    agentId: row.agentId,
    seq: row.lastSeq + 1,
    type: draft.type,
    atMs: nowMs,
    actor: draft.actor,
    payload: draft.payload,
    redactions: draft.redactions,
    prevHash: row.lastHash,
  };
  const event = { ...link, hash: hashLink(link) };
  row.lastSeq = event.seq;
  row.lastHash = event.hash;
  if (draft.type === 'model.requested') noteModel(row, draft.payload);
  return event;
}

/** The row says which model the run speaks with, so that reading it needs no events. */
function noteModel(row: RunRow, payload: string): void {
  const value: unknown = JSON.parse(payload);
  if (!isJsonObject(value)) return;
  const { provider, model } = value;
  if (typeof provider !== 'string' || typeof model !== 'string') return;
  row.provider = provider;
  row.model = model;
}
