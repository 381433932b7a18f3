import { RuntimeError } from '../../core/errors.ts';
import type { JobId, RunId } from '../../core/ids.ts';
import type { Job } from '../../core/schedule/job.ts';
import type {
  DueJobs,
  FiringFilter,
  FiringPage,
  JobFilter,
  JobPage,
  UnsettledFiring,
} from '../../core/schedule/job-store.ts';
import { MAX_PAGE_FIRINGS, MAX_PAGE_JOBS } from '../job-rules.ts';
import type { Database } from './database.ts';
import {
  decodeFiring,
  decodeJob,
  JOB_COLUMNS,
  type StoredFiring,
  type StoredJob,
} from './job-row.ts';
import { decodeRun, type StoredRun, toRun } from './run-row.ts';
import { clampLimit, clockSql } from './statement.ts';
import { isStorableId } from './text-codec.ts';

const FIND = `select ${JOB_COLUMNS} from jobs where id = $1`;
const IS_PAUSED = 'select is_paused from scheduler_state where no = 1';

export async function findJob(database: Database, id: JobId): Promise<Job | undefined> {
  if (!isStorableId(id)) return undefined;
  const [stored] = await database.read<StoredJob>({ name: 'find_job', text: FIND, values: [id] });
  return stored && decodeJob(stored);
}

export async function listJobs(database: Database, filter: JobFilter): Promise<JobPage> {
  const { agentId, after = '' } = filter;
  if (!isStorableId(agentId ?? '') || !isStorableId(after)) return { jobs: [], next: undefined };
  const size = clampLimit(filter.limit, MAX_PAGE_JOBS);
  // One more than asked for tells whether there is a next page.
  const values: (string | number)[] = [size + 1, after];
  const agent = agentId === undefined ? '' : `and agent_id = $${values.push(agentId)}`;
  const stored = await database.read<StoredJob>({
    name: agentId === undefined ? 'list_jobs' : 'list_jobs_of',
    text: `select ${JOB_COLUMNS} from jobs where id > $2 ${agent} order by id limit $1`,
    values,
  });
  const jobs = stored.slice(0, size).map(decodeJob);
  return { jobs, next: stored.length > size ? jobs.at(-1)?.id : undefined };
}

// One look at everything: a job that moves on meanwhile is either due or counts for the next slot.
const LIST_DUE = `
  with state as materialized (
    select ${clockSql('$1')} as due_at_ms, is_paused from scheduler_state where no = 1
  ), due as (
    select ${JOB_COLUMNS} from jobs
    where is_enabled and next_slot_ms <= (select due_at_ms from state)
    order by next_slot_ms, id limit $2
  )
  select state.due_at_ms, state.is_paused, due.*, (
    select min(next_slot_ms) from jobs where is_enabled and next_slot_ms > state.due_at_ms
  ) as upcoming_slot_ms
  from state left join due on true order by due.next_slot_ms, due.id`;

/** Without a job in it when none is due. */
type StoredDue = StoredJob & {
  readonly id: string | null;
  readonly due_at_ms: number;
  readonly is_paused: boolean;
  readonly upcoming_slot_ms: number | null;
};

export async function listDueJobs(
  database: Database,
  limit: number,
  overrideNowMs: number | undefined,
): Promise<DueJobs> {
  const values = [overrideNowMs ?? null, clampLimit(limit, MAX_PAGE_JOBS)];
  const rows = await database.read<StoredDue>({ name: 'list_due_jobs', text: LIST_DUE, values });
  const [first] = rows;
  if (!first) throw new RuntimeError('internal', 'the scheduler has lost its state');
  return {
    nowMs: first.due_at_ms,
    isPaused: first.is_paused,
    jobs: rows.filter((row) => row.id !== null).map(decodeJob),
    nextSlotMs: first.upcoming_slot_ms ?? undefined,
  };
}

const LIST_FIRINGS = `
  select f.no, f.job_id, f.at_ms, f.first_slot_ms, f.last_slot_ms, f.slots, f.run_id, f.reason,
    r.status as run_status
  from job_firings f left join runs r on r.id = f.run_id
  where f.job_id = $1 and f.no < coalesce($3::bigint, 9223372036854775807)
  order by f.no desc limit $2`;

export async function listFirings(
  database: Database,
  { jobId, before, limit }: FiringFilter,
): Promise<FiringPage> {
  if (!isStorableId(jobId)) return { firings: [], next: undefined };
  const size = clampLimit(limit, MAX_PAGE_FIRINGS);
  const values = [jobId, size + 1, before ?? null];
  const statement = { name: 'list_firings', text: LIST_FIRINGS, values };
  const rows = await database.read<StoredFiring>(statement);
  const page = rows.slice(0, size);
  return {
    firings: page.map(decodeFiring),
    next: rows.length > size ? page.at(-1)?.no : undefined,
  };
}

// Few are unsettled: those whose run is open, and those that ended a moment ago.
const LIST_UNSETTLED = `
  select f.first_slot_ms as "slotMs", to_json(j) as job, to_json(r) as run
  from job_firings f join runs r on r.id = f.run_id join jobs j on j.id = f.job_id
  where not f.settled and r.ended_at_ms is not null
  order by f.no limit $1`;

interface StoredUnsettled {
  readonly slotMs: number;
  readonly job: StoredJob;
  readonly run: StoredRun;
}

export async function listUnsettledFirings(
  database: Database,
  limit: number,
): Promise<UnsettledFiring[]> {
  const values = [clampLimit(limit, MAX_PAGE_FIRINGS)];
  const statement = { name: 'list_unsettled', text: LIST_UNSETTLED, values };
  const rows = await database.read<StoredUnsettled>(statement);
  return rows.map(({ slotMs, job, run }) => ({
    jobId: job.id as JobId,
    slotMs,
    runId: run.id as RunId,
    job: decodeJob(job),
    run: toRun(decodeRun(run)),
  }));
}

export async function isSchedulerPaused(database: Database): Promise<boolean> {
  const statement = { name: 'is_paused', text: IS_PAUSED, values: [] };
  const [state] = await database.read<{ is_paused: boolean }>(statement);
  return state?.is_paused ?? false;
}
