import { clampLimit } from '../../../core/clamp-limit.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { RunId } from '../../../core/ids.ts';
import { RUN_STATUSES, type Run, type RunStatus } from '../../../core/runs/run.ts';
import type {
  RecordPart,
  RecordProgress,
  RunFilter,
  RunPage,
} from '../../../core/runs/run-store.ts';
import {
  parseStatus,
  sortOutUnreadable,
  toRunPage,
  unreadableRun,
} from '../../../core/runs/unreadable.ts';
import { encodeOwner } from '../../owner-column.ts';
import { isStorableId } from '../../tables/column.ts';
import type { CommitDeps } from '../commit-writes.ts';
import type { Database } from '../database.ts';
import { clockSql, MAX_PAGE_RUNS } from '../statement.ts';
import { decodeRun, RUN_COLUMNS, type StoredRun, toRun } from './run-row.ts';

const CREATED_AT = 'select created_at_ms from runs where id = $1';

const FIND = `select ${RUN_COLUMNS} from runs where id = $1`;

/** Of what `lacking` asks for. */
const lacks = (lacking: string) =>
  `(${lacking}::text is null or (audited_seq < last_seq) = (${lacking}::text = 'lines'))`;

const UNRECORDED =
  `select ${RUN_COLUMNS} from runs ` +
  `where ended_at_ms is not null and not recorded and ${lacks('$2')} ` +
  `order by created_at_ms, id limit $1`;

// What a node that is gone left behind falls to the one that asks, in the same statement: no two ever get the same run.
// Its lines are on the other's disk, so all of them are lacking here.
const TAKE_UNRECORDED =
  `update runs set recorder = $2, audited_seq = case when recorder = $2 then audited_seq else 0 end where id in (` +
  `select id from runs where ended_at_ms is not null and not recorded and (` +
  `(recorder is null or recorder = $2) and ${lacks('$4')} or $4::text is distinct from 'bundle' and recorder <> $2 and ` +
  `not exists (select from nodes where nodes.id = runs.recorder and lease_expires_at_ms > ${clockSql('$3')})) ` +
  `order by created_at_ms, id limit $1 for update skip locked) returning ${RUN_COLUMNS}`;

const WRITTEN_TO = 'select id from runs where id = any($1) and frames > 0';

const COUNT = 'select status, count(*) as runs from runs group by status';

export async function findRun(database: Database, id: RunId): Promise<Run | undefined> {
  if (!isStorableId(id)) return undefined;
  const [stored] = await database.read<StoredRun>({ name: 'find_run', text: FIND, values: [id] });
  return stored && readRun(stored);
}

/** Throws an error that names the run when its row is damaged. */
export function readRun(stored: StoredRun): Run {
  try {
    parseStatus(stored.status);
    return toRun(decodeRun(stored));
  } catch (cause) {
    throw unreadableRun(stored.id as RunId, cause);
  }
}

export async function listRuns(database: Database, filter: RunFilter): Promise<RunPage> {
  const size = clampLimit(filter.limit, MAX_PAGE_RUNS);
  // One more than asked for tells whether there is a next page.
  const values: (string | number)[] = [size + 1];
  const conditions: string[] = [];
  const names = ['list_runs'];
  const wanted = {
    agent_id: filter.agentId,
    session_id: filter.sessionId,
    project_id: filter.projectId,
    status: filter.status,
    owner: filter.owner === undefined ? undefined : (encodeOwner(filter.owner) ?? ''),
  };
  for (const [column, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    if (!isStorableId(value)) return { runs: [], next: undefined };
    conditions.push(`${column} = $${values.push(value)}`);
    names.push(column);
  }
  if (filter.before !== undefined) {
    const createdAtMs = await getCreationTime(database, filter.before);
    conditions.push(
      `(created_at_ms, id) < ($${values.push(createdAtMs)}, $${values.push(filter.before)})`,
    );
    names.push('before');
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const stored = await database.read<StoredRun>({
    name: names.join('_'),
    text: `select ${RUN_COLUMNS} from runs ${where} order by created_at_ms desc, id desc limit $1`,
    values,
  });
  return toRunPage(stored, size, readRun);
}

export async function getCreationTime(database: Database, cursor: RunId): Promise<number> {
  const statement = { name: 'find_creation_time', text: CREATED_AT, values: [cursor] };
  const [row] = isStorableId(cursor)
    ? await database.read<{ created_at_ms: number }>(statement)
    : [];
  if (!row) throw new RuntimeError('invalid_input', `cursor ${cursor} is not a run`);
  return row.created_at_ms;
}

export async function listUnrecordedRuns(
  { database, node, nowMs }: CommitDeps,
  limit: number,
  lacking: RecordPart | undefined,
): Promise<RecordProgress[]> {
  const size = clampLimit(limit, MAX_PAGE_RUNS);
  const taken =
    node === undefined
      ? await database.read<StoredRun>({
          name: 'list_unrecorded',
          text: UNRECORDED,
          values: [size, lacking ?? null],
        })
      : await database.write<StoredRun>({
          name: 'take_unrecorded',
          text: TAKE_UNRECORDED,
          values: [size, node, nowMs?.() ?? null, lacking ?? null],
        });
  // A statement that writes answers in no order.
  const stored = [...taken].sort((a, b) => a.created_at_ms - b.created_at_ms);
  return sortOutUnreadable(stored, (row) => ({
    run: readRun(row),
    auditedSeq: row.audited_seq,
    bundled: row.bundled,
  })).readable;
}

export async function countRunsByStatus(database: Database): Promise<Record<RunStatus, number>> {
  const counts = await database.read<{ status: string; runs: number }>({
    name: 'count_by_status',
    text: COUNT,
    values: [],
  });
  const byStatus = new Map(counts.map(({ status, runs }) => [status, runs]));
  return Object.fromEntries(
    RUN_STATUSES.map((status) => [status, byStatus.get(status) ?? 0]),
  ) as Record<RunStatus, number>;
}

export async function listWrittenTo(
  database: Database,
  runIds: readonly RunId[],
): Promise<RunId[]> {
  const values = [runIds.filter(isStorableId)];
  const query = { name: 'list_written_to', text: WRITTEN_TO, values };
  return (await database.read<{ id: RunId }>(query)).map(({ id }) => id);
}
