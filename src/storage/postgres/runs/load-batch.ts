import type { Approval } from '../../../core/approvals/approval.ts';
import type { Effect } from '../../../core/effects/effect.ts';
import type { AgentId } from '../../../core/ids.ts';
import { loadApprovals } from '../effects/approval-row.ts';
import { loadEffects } from '../effects/effect-row.ts';
import { readMark } from '../mark.ts';
import { isBehindSql, loadSessions } from '../sessions/load-sessions.ts';
import { clockSql } from '../statement.ts';
import { decodeText, encodeText } from '../text-codec.ts';
import type { Transaction } from '../transact-once.ts';
import type { KnownFrame } from './batch-frames.ts';
import type { LoadedSessions } from './batch-sessions.ts';
import { loadFrames } from './frame-row.ts';
import type { KeyRow } from './run-batch.ts';
import {
  decodeRun,
  RUN_COLUMNS,
  type RunRow,
  runColumnsWithTextOf,
  type StoredRun,
} from './run-row.ts';
import type { RunWrite } from './run-write.ts';

export interface LoadedBatch {
  readonly rows: readonly RunRow[];
  readonly due: readonly RunRow[];
  readonly sleeping: ReadonlySet<AgentId>;
  readonly keys: readonly KeyRow[];
  readonly queuedRuns: number;
  readonly effects: readonly Effect[];
  readonly approvals: readonly Approval[];
  readonly frames: readonly KnownFrame[];
  readonly sessions: LoadedSessions;
  readonly xid: string;
  readonly nowMs: number;
}

// In id order, as every transaction takes them: two that lock the same runs wait for each other and never in a circle.
const LOCK_RUNS = `select ${runColumnsWithTextOf('$2::text[]')} from runs where id = any($1::text[]) order by id for update`;

// Skips what others have locked, after the locks that wait: taking these can't close a circle either.
const LOCK_DUE =
  `select ${RUN_COLUMNS} from runs where status in ('queued', 'running', 'cancelling') and not is_held ` +
  `and (status = 'queued' or lease_id is null or lease_expires_at_ms <= ${clockSql('$1')}) ` +
  `and not (status = 'queued' and exchange is not null and ${isBehindSql('runs')}) ` +
  // One that was made while its agent fell asleep is not marked.
  `and not (status = 'queued' and exists (` +
  `select 1 from agents a where a.id = runs.agent_id and a.status = 'sleeping')) ` +
  `order by created_at_ms, id limit $2 for update skip locked`;

// Held until the end, so that an agent can't wake up between this look and the run that is held because of it. Before
// all other locks, as whoever wakes an agent takes it before its runs.
const FIND_SLEEPING = `select id from agents where status = 'sleeping' order by id for share`;

const FIND_KEYS =
  `select k.key, k.digest, r.* from idempotency_keys k ` +
  `join (select ${RUN_COLUMNS} from runs) r on r.id = k.run_id where k.key = any($1::text[])`;

const COUNT_QUEUED = `select count(*) as queued from (select from runs where status = 'queued' limit $1) q`;

/** Everything the writes need, in one round trip; the clock is read last, after the locks were granted. */
export async function loadBatch(
  transaction: Transaction,
  writes: readonly RunWrite[],
  overrideNowMs: number | undefined,
): Promise<LoadedBatch> {
  const asleep = findSleeping(transaction, writes);
  const named = lockRuns(transaction, writes);
  const waiting = lockDue(transaction, writes, overrideNowMs);
  const [sleeping, rows, due, frames, sessions, keys, queuedRuns, effects, approvals, mark] =
    await Promise.all([
      asleep,
      named,
      waiting,
      loadFrames(transaction, writes),
      loadSessions(transaction, writes, waiting),
      findKeys(transaction, writes),
      countQueued(transaction, writes),
      loadEffects(transaction, writes),
      loadApprovals(transaction, writes),
      readMark(transaction, overrideNowMs),
    ]);
  return { sleeping, rows, due, frames, sessions, keys, queuedRuns, effects, approvals, ...mark };
}

async function findSleeping(
  transaction: Transaction,
  writes: readonly RunWrite[],
): Promise<ReadonlySet<AgentId>> {
  const mayQueue = writes.some(
    ({ creation, approvalIds, frame, claims }) => creation ?? approvalIds ?? frame ?? claims,
  );
  if (!mayQueue) return new Set();
  const statement = { name: 'find_sleeping', text: FIND_SLEEPING, values: [] };
  const rows = await transaction.query<{ id: AgentId }>(statement);
  return new Set(rows.map(({ id }) => id));
}

async function lockRuns(transaction: Transaction, writes: readonly RunWrite[]): Promise<RunRow[]> {
  const ids = new Set(writes.flatMap((write) => write.runIds));
  if (ids.size === 0) return [];
  const withText = writes.filter((write) => write.answersWithRun).flatMap((write) => write.runIds);
  const stored = await transaction.query<StoredRun>({
    name: 'lock_runs',
    text: LOCK_RUNS,
    values: [[...ids], withText],
  });
  return stored.map(decodeRun);
}

async function lockDue(
  transaction: Transaction,
  writes: readonly RunWrite[],
  overrideNowMs: number | undefined,
): Promise<RunRow[]> {
  const claims = writes.filter((write) => write.claims === 'oldest').length;
  if (claims === 0) return [];
  // The batch's other writes may end a run that is due, and a claim must not come back empty because of it.
  const spare = writes.flatMap((write) => write.runIds).length;
  const stored = await transaction.query<StoredRun>({
    name: 'lock_due',
    text: LOCK_DUE,
    values: [overrideNowMs ?? null, claims + spare],
  });
  return stored.map(decodeRun);
}

type StoredKey = StoredRun & { readonly key: string; readonly digest: string };

async function findKeys(transaction: Transaction, writes: readonly RunWrite[]): Promise<KeyRow[]> {
  const keys = writes.flatMap((write) => write.creation?.idempotencyKey ?? []);
  if (keys.length === 0) return [];
  const stored = await transaction.query<StoredKey>({
    name: 'find_keys',
    text: FIND_KEYS,
    values: [keys.map(encodeText)],
  });
  return stored.map((row) => ({
    key: decodeText(row.key),
    digest: row.digest,
    run: decodeRun(row),
  }));
}

/** Counted no further than the bound: a long queue makes submissions refused, not slow. */
async function countQueued(transaction: Transaction, writes: readonly RunWrite[]): Promise<number> {
  const bounds = writes.flatMap((write) => write.creation?.maxQueued ?? []);
  if (bounds.length === 0) return 0;
  const [row] = await transaction.query<{ queued: number }>({
    name: 'count_queued',
    text: COUNT_QUEUED,
    values: [Math.max(...bounds)],
  });
  return row?.queued ?? 0;
}
