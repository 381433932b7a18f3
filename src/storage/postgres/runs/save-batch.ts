import type { RunFault } from '../../../core/runs/run.ts';
import { encodeForkPoint } from '../../fork-column.ts';
import { encodeOwner } from '../../owner-column.ts';
import { bulkInsert, bulkUpdate, type Column, toStatements } from '../bulk.ts';
import { UPSERT_APPROVALS } from '../effects/approval-row.ts';
import { UPSERT_EFFECTS } from '../effects/effect-row.ts';
import { INSERT_MESSAGES } from '../sessions/message-row.ts';
import { UPDATE_SESSIONS } from '../sessions/session-row.ts';
import type { Statement } from '../statement.ts';
import { encodeText } from '../text-codec.ts';
import { INSERT_FRAMES } from './frame-row.ts';
import type { EventRow, KeyRow, RunBatch } from './run-batch.ts';
import { isEnded, type RunRow } from './run-row.ts';

/** `RUN_CHANNEL` carries the id of a run with new events; `QUEUE_CHANNEL` says that a run may be due. */
export const RUN_CHANNEL = 'pincer_run';
export const QUEUE_CHANNEL = 'pincer_queue';
export const WORKER_CHANNEL = 'pincer_worker';

const text = (value: string | undefined) => (value === undefined ? null : encodeText(value));

// Its fields one by one: a fault may carry more than a run keeps.
const encodeFault = (fault: RunFault | undefined) =>
  fault === undefined ? null : JSON.stringify({ code: fault.code, message: fault.message });

const isRecorded = (row: RunRow) => isEnded(row) && row.bundled && row.auditedSeq >= row.lastSeq;

const MUTABLE_COLUMNS: readonly Column<RunRow>[] = [
  ['status', 'text', (row) => row.status],
  ['last_seq', 'bigint', (row) => row.lastSeq],
  ['last_hash', 'text', (row) => row.lastHash],
  ['output', 'text', (row) => text(row.output)],
  ['stop_reason', 'text', (row) => row.stopReason],
  ['error', 'text', (row) => encodeFault(row.error)],
  ['provider', 'text', (row) => text(row.provider)],
  ['model', 'text', (row) => text(row.model)],
  ['turns', 'bigint', (row) => row.totals.turns],
  ['tool_calls', 'bigint', (row) => row.totals.toolCalls],
  ['input_tokens', 'bigint', (row) => row.totals.inputTokens],
  ['output_tokens', 'bigint', (row) => row.totals.outputTokens],
  ['cost_usd', 'double precision', (row) => row.totals.costUsd],
  ['started_at_ms', 'bigint', (row) => row.startedAtMs],
  ['updated_at_ms', 'bigint', (row) => row.updatedAtMs],
  ['ended_at_ms', 'bigint', (row) => row.endedAtMs],
  ['lease_id', 'text', (row) => row.lease?.id],
  ['lease_owner', 'text', (row) => row.lease?.owner],
  ['lease_expires_at_ms', 'bigint', (row) => row.lease?.expiresAtMs],
  ['cancel_requested', 'boolean', (row) => row.cancelRequested],
  ['is_held', 'boolean', (row) => row.isHeld],
  ['parked', 'boolean', (row) => row.parked],
  ['awaits_frames', 'boolean', (row) => row.awaitsFrames],
  ['frames', 'bigint', (row) => row.frames],
  ['last_frame_seq', 'bigint', (row) => row.lastFrameSeq],
  ['recorder', 'text', (row) => row.recorder],
  ['audited_seq', 'bigint', (row) => row.auditedSeq],
  ['bundled', 'boolean', (row) => row.bundled],
  ['recorded', 'boolean', isRecorded],
];

const ID_COLUMN: Column<RunRow> = ['id', 'text', (row) => row.id];

const FIXED_COLUMNS: readonly Column<RunRow>[] = [
  ['agent_id', 'text', (row) => row.agentId],
  ['session_id', 'text', (row) => row.sessionId],
  ['project_id', 'text', (row) => row.projectId],
  ['exchange', 'bigint', (row) => row.exchange],
  ['job_id', 'text', (row) => row.jobId],
  ['source', 'text', (row) => row.source],
  ['thread_id', 'text', (row) => text(row.thread?.id)],
  ['owner', 'text', (row) => encodeOwner(row.owner)],
  ['stays_open', 'boolean', (row) => row.thread?.staysOpen ?? false],
  ['forked_from', 'text', (row) => encodeForkPoint(row.forkedFrom)],
  ['message', 'text', (row) => text(row.message)],
  ['created_at_ms', 'bigint', (row) => row.createdAtMs],
];

export const EVENT_COLUMNS: readonly Column<EventRow>[] = [
  ['run_id', 'text', (event) => event.runId],
  ['seq', 'bigint', (event) => event.seq],
  ['id', 'text', (event) => event.id],
  ['type', 'text', (event) => event.type],
  ['at_ms', 'bigint', (event) => event.atMs],
  ['actor', 'text', (event) => event.actor],
  ['payload', 'text', (event) => event.payload],
  ['redactions', 'text', (event) => event.redactions],
  ['prev_hash', 'text', (event) => event.prevHash],
  ['hash', 'text', (event) => event.hash],
];

const KEY_COLUMNS: readonly Column<KeyRow>[] = [
  ['key', 'text', (key) => encodeText(key.key)],
  ['digest', 'text', (key) => key.digest],
  ['run_id', 'text', (key) => key.run.id],
  ['created_at_ms', 'bigint', (key) => key.run.createdAtMs],
];

export const RUN_ROW_COLUMNS = [ID_COLUMN, ...FIXED_COLUMNS, ...MUTABLE_COLUMNS];
const INSERT_RUNS = bulkInsert('runs', RUN_ROW_COLUMNS);
const INSERT_KEYS = bulkInsert('idempotency_keys', KEY_COLUMNS);
const INSERT_EVENTS = bulkInsert('events', EVENT_COLUMNS);
// An ended run keeps its output, also when the transaction did not load it.
const UPDATE_RUNS = bulkUpdate('runs', [ID_COLUMN, ...MUTABLE_COLUMNS], ['output']);

/** Inside the transaction: a wake-up is delivered with the commit and never before it. */
const NOTIFY =
  'select count(pg_notify(channel, payload)) from unnest($1::text[], $2::text[]) as n(channel, payload)';

export function saveBatch(batch: RunBatch): Statement[] {
  return [
    ...toStatements(INSERT_RUNS, [...batch.created]),
    // In one order on every node: two that insert the same keys wait for each other and never in a circle.
    ...toStatements(INSERT_KEYS, batch.newKeys.toSorted(byKey)),
    ...toStatements(INSERT_EVENTS, batch.events),
    ...toStatements(INSERT_FRAMES, batch.frames.added),
    ...toStatements(UPDATE_RUNS, [...batch.changed]),
    ...toStatements(UPSERT_EFFECTS, batch.effects.changed()),
    ...toStatements(UPSERT_APPROVALS, batch.approvals.changed()),
    ...toStatements(INSERT_MESSAGES, batch.sessions.messages),
    ...toStatements(UPDATE_SESSIONS, [...batch.sessions.changed]),
    ...notifyStatements(noticesOf(batch)),
  ];
}

function byKey(a: KeyRow, b: KeyRow): number {
  return a.key < b.key ? -1 : 1;
}

export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

/** One for each run that got events, however many, and one for the queue. */
export function noticesOf(batch: RunBatch): Notice[] {
  const runIds = new Set(batch.events.map((event) => event.runId));
  const notices = [...runIds].map((runId) => ({ channel: RUN_CHANNEL, payload: runId as string }));
  return batch.isQueueWoken ? [...notices, { channel: QUEUE_CHANNEL, payload: '' }] : notices;
}

export function notifyStatements(notices: readonly Notice[]): Statement[] {
  if (notices.length === 0) return [];
  const channels = notices.map((notice) => notice.channel);
  const payloads = notices.map((notice) => notice.payload);
  return [{ name: 'notify', text: NOTIFY, values: [channels, payloads] }];
}
