import { clampLimit } from '../../../core/clamp-limit.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { JobId, RunId } from '../../../core/ids.ts';
import type { FiredSlot, Job } from '../../../core/schedule/job.ts';
import type {
  DueJobs,
  FiringFilter,
  FiringPage,
  JobFilter,
  JobPage,
  JobSummary,
  UnsettledFiring,
} from '../../../core/schedule/job-store.ts';
import { MAX_PAGE_FIRINGS, MAX_PAGE_JOBS } from '../../job-rules.ts';
import { encodeOwner } from '../../owner-column.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { decodeRun, type StoredRun, toRun } from '../runs/run-row.ts';
import { clockSql } from '../statement.ts';
import {
  decodeFiring,
  decodeJob,
  JOB_COLUMNS,
  type StoredFiring,
  type StoredJob,
} from './job-row.ts';

const FIND = `select ${JOB_COLUMNS} from jobs where id = $1`;
const IS_PAUSED = 'select is_paused from scheduler_state where no = 1';

export async function findJob(database: Database, id: JobId): Promise<Job | undefined> {
  if (!isStorableId(id)) return undefined;
  const [stored] = await database.read<StoredJob>({ name: 'find_job', text: FIND, values: [id] });
  return stored && decodeJob(stored);
}

export async function listJobs(database: Database, filter: JobFilter): Promise<JobPage> {
  const { agentId, owner, after = '' } = filter;
  if (!isStorableId(agentId ?? '') || !isStorableId(after)) return { jobs: [], next: undefined };
  const size = clampLimit(filter.limit, MAX_PAGE_JOBS);
  // One more than asked for tells whether there is a next page.
  const values: (string | number)[] = [size + 1, after];
  const agent = agentId === undefined ? '' : `and agent_id = $${values.push(agentId)}`;
  const own = owner === undefined ? '' : `and owner = $${values.push(encodeOwner(owner) ?? '')}`;
  const stored = await database.read<StoredJob>({
    name: `list_jobs${agent === '' ? '' : '_of'}${own === '' ? '' : '_owned'}`,
    text: `select ${JOB_COLUMNS} from jobs where id > $2 ${agent} ${own} order by id limit $1`,
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

const LIST_LAST_FIRED = `
  select f.*, r.status as run_status from unnest($1::text[]) as wanted(id)
  cross join lateral (
    select no, job_id, at_ms, first_slot_ms, last_slot_ms, slots, run_id, reason from job_firings
    where job_id = wanted.id and run_id is not null order by no desc limit 1
  ) f
  join runs r on r.id = f.run_id`;

export async function listLastFired(
  database: Database,
  ids: readonly JobId[],
): Promise<FiredSlot[]> {
  const values = [ids.filter(isStorableId).slice(0, MAX_PAGE_JOBS)];
  const statement = { name: 'list_last_fired', text: LIST_LAST_FIRED, values };
  const rows = await database.read<StoredFiring>(statement);
  return rows.map(decodeFiring).filter((firing) => firing.outcome === 'fired');
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

const SUMMARIZE = `
  select is_paused as "isPaused", (select count(*) from jobs) as "jobCount", due.*
  from scheduler_state left join lateral (
    select id as "jobId", next_slot_ms as "slotMs" from jobs
    where is_enabled and next_slot_ms is not null order by next_slot_ms, id limit 1
  ) due on true
  where no = 1`;

interface StoredSummary {
  readonly isPaused: boolean;
  readonly jobCount: number;
  readonly jobId: JobId | null;
  readonly slotMs: number | null;
}

export async function summarizeJobs(database: Database): Promise<JobSummary> {
  const statement = { name: 'summarize_jobs', text: SUMMARIZE, values: [] };
  const [summary] = await database.read<StoredSummary>(statement);
  if (!summary) throw new RuntimeError('internal', 'the scheduler has lost its state');
  const { isPaused, jobCount, jobId, slotMs } = summary;
  return {
    isPaused,
    jobCount,
    next: jobId === null || slotMs === null ? undefined : { jobId, slotMs },
  };
}

export async function isSchedulerPaused(database: Database): Promise<boolean> {
  const statement = { name: 'is_paused', text: IS_PAUSED, values: [] };
  const [state] = await database.read<{ is_paused: boolean }>(statement);
  return state?.is_paused ?? false;
}
