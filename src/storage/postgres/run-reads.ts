import { RuntimeError } from '../../core/errors.ts';
import type { RunId } from '../../core/ids.ts';
import { RUN_STATUSES, type Run, type RunStatus } from '../../core/runs/run.ts';
import type { RecordProgress, RunFilter, RunPage } from '../../core/runs/run-store.ts';
import { encodeOwner } from '../owner-column.ts';
import type { CommitDeps } from './commit-writes.ts';
import type { Database } from './database.ts';
import { decodeRun, RUN_COLUMNS, type StoredRun, toRun } from './run-row.ts';
import { clampLimit, clockSql, MAX_PAGE_RUNS } from './statement.ts';
import { isStorableId } from './text-codec.ts';

const FIND = `select ${RUN_COLUMNS} from runs where id = $1`;

const UNRECORDED =
  `select ${RUN_COLUMNS} from runs ` +
  `where ended_at_ms is not null and not recorded ` +
  `order by created_at_ms, id limit $1`;

// What a node that is gone left behind falls to the one that asks, in the same statement: no two ever get the same run.
const TAKE_UNRECORDED =
  `update runs set recorder = $2 where id in (` +
  `select id from runs where ended_at_ms is not null and not recorded and (recorder is null or recorder = $2 ` +
  `or not exists (select from nodes where nodes.id = runs.recorder and lease_expires_at_ms > ${clockSql('$3')})) ` +
  `order by created_at_ms, id limit $1 for update skip locked) returning ${RUN_COLUMNS}`;

const COUNT = 'select status, count(*) as runs from runs group by status';

export async function findRun(database: Database, id: RunId): Promise<Run | undefined> {
  if (!isStorableId(id)) return undefined;
  const [stored] = await database.read<StoredRun>({ name: 'find_run', text: FIND, values: [id] });
  return stored && toRun(decodeRun(stored));
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
  const runs = stored.slice(0, size).map((row) => toRun(decodeRun(row)));
  return { runs, next: stored.length > size ? runs.at(-1)?.id : undefined };
}

async function getCreationTime(database: Database, cursor: RunId): Promise<number> {
  const run = await findRun(database, cursor);
  if (!run) throw new RuntimeError('invalid_input', `cursor ${cursor} is not a run`);
  return run.createdAtMs;
}

export async function listUnrecordedRuns(
  { database, node, nowMs }: CommitDeps,
  limit: number,
): Promise<RecordProgress[]> {
  const size = clampLimit(limit, MAX_PAGE_RUNS);
  const stored =
    node === undefined
      ? await database.read<StoredRun>({
          name: 'list_unrecorded',
          text: UNRECORDED,
          values: [size],
        })
      : await database.write<StoredRun>({
          name: 'take_unrecorded',
          text: TAKE_UNRECORDED,
          values: [size, node, nowMs?.() ?? null],
        });
  const rows = stored.map(decodeRun).sort((a, b) => a.createdAtMs - b.createdAtMs);
  return rows.map((row) => ({
    run: toRun(row),
    auditedSeq: row.auditedSeq,
    bundled: row.bundled,
  }));
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
