import type { JobId } from '../../../core/ids.ts';
import type { Firing, Job } from '../../../core/schedule/job.ts';
import type {
  CreateJobResult,
  JobBounds,
  JobChange,
  NewJob,
  SkipSlots,
  SlotClaim,
} from '../../../core/schedule/job-store.ts';
import {
  changeJob,
  findFull,
  isStillDue,
  type JobCounts,
  MAX_KEPT_FIRINGS,
  moveOn,
  newJob,
} from '../../job-rules.ts';
import { encodeOwner } from '../../owner-column.ts';
import { toStatements } from '../bulk.ts';
import type { Database } from '../database.ts';
import { readMark } from '../mark.ts';
import type { Statement } from '../statement.ts';
import type { Transaction } from '../transact-once.ts';
import { writeOnce } from '../write-once.ts';
import {
  decodeJob,
  INSERT_FIRINGS,
  INSERT_JOBS,
  JOB_COLUMNS,
  type StoredJob,
  UPDATE_JOBS,
} from './job-row.ts';

export interface JobWriteDeps {
  readonly database: Database;
  readonly nowMs: (() => number) | undefined;
}

// Taken before any job, run or session, by everybody who needs it: nobody waits for it while holding one of those.
const LOCK_STATE = 'select is_paused from scheduler_state where no = 1 for update';
const LOCK_JOB = `select ${JOB_COLUMNS} from jobs where id = $1 for update`;
const COUNT =
  'select count(*) as jobs, count(*) filter (where owner is not distinct from $1) as own from jobs';

const PRUNE = `
  delete from job_firings where job_id = $1 and settled and no <= (
    select no from job_firings where job_id = $1 order by no desc limit 1 offset $2
  )`;

const REMOVE = `
  with gone as (delete from jobs where id = $1 returning id),
  forgotten as (delete from job_firings where job_id in (select id from gone))
  select id from gone`;

export async function lockScheduler(transaction: Transaction): Promise<{ isPaused: boolean }> {
  const statement = { name: 'lock_scheduler', text: LOCK_STATE, values: [] };
  const [state] = await transaction.query<{ is_paused: boolean }>(statement);
  return { isPaused: state?.is_paused ?? false };
}

export async function lockJob(transaction: Transaction, id: JobId): Promise<Job | undefined> {
  const statement = { name: 'lock_job', text: LOCK_JOB, values: [id] };
  const [stored] = await transaction.query<StoredJob>(statement);
  return stored && decodeJob(stored);
}

/** The job behind its slot, what became of the slot, and no more history than is kept. */
export function passSlot(job: Job, claim: SlotClaim, firings: readonly Firing[]): Statement[] {
  const keep = Math.max(0, Math.trunc(claim.keepFirings ?? MAX_KEPT_FIRINGS));
  return [
    ...toStatements(UPDATE_JOBS, [moveOn(job, claim)]),
    ...toStatements(INSERT_FIRINGS, firings),
    { name: 'prune_firings', text: PRUNE, values: [job.id, keep] },
  ];
}

export function createJob(
  { database, nowMs }: JobWriteDeps,
  job: NewJob,
  bounds: JobBounds,
): Promise<CreateJobResult> {
  return database.transact<CreateJobResult>(async (transaction) => {
    const found = findForJob(transaction, job);
    const [room, mark] = await Promise.all([found, readMark(transaction, nowMs?.())]);
    return { ...settleJob({ job, bounds }, room, mark.nowMs), xid: mark.xid };
  });
}

interface WantedJob {
  readonly job: NewJob;
  readonly bounds: JobBounds;
}

interface JobPlan {
  readonly value: CreateJobResult;
  readonly writes: readonly Statement[];
}

/** The same as a part of another transaction. */
export async function planJob(
  transaction: Transaction,
  wanted: WantedJob,
  nowMs: number,
): Promise<JobPlan> {
  return settleJob(wanted, await findForJob(transaction, wanted.job), nowMs);
}

interface FoundForJob {
  readonly existing: Job | undefined;
  readonly counts: JobCounts;
}

async function findForJob(transaction: Transaction, { id, owner }: NewJob): Promise<FoundForJob> {
  const [, existing, [counts = { jobs: 0, own: 0 }]] = await Promise.all([
    lockScheduler(transaction),
    lockJob(transaction, id),
    transaction.query<JobCounts>({ name: 'count_jobs', text: COUNT, values: [encodeOwner(owner)] }),
  ]);
  return { existing, counts };
}

function settleJob(
  { job: wanted, bounds }: WantedJob,
  { existing, counts }: FoundForJob,
  nowMs: number,
): JobPlan {
  if (existing) return { value: { outcome: 'exists' }, writes: [] };
  const full = findFull(counts, bounds);
  if (full) return { value: full, writes: [] };
  const job = newJob(wanted, nowMs);
  return { value: { outcome: 'created', job }, writes: toStatements(INSERT_JOBS, [job]) };
}

export interface JobUpdate {
  readonly change: JobChange;
  readonly revision: number | undefined;
}

export function updateJob(
  { database, nowMs }: JobWriteDeps,
  id: JobId,
  update: JobUpdate,
): Promise<Job | undefined> {
  return database.transact(async (transaction) => {
    const [job, mark] = await Promise.all([
      lockJob(transaction, id),
      readMark(transaction, nowMs?.()),
    ]);
    const changed = job && changeJob(job, update, mark.nowMs);
    const writes = changed ? toStatements(UPDATE_JOBS, [changed]) : [];
    return { value: changed, writes, xid: mark.xid };
  });
}

export async function removeJob({ database }: JobWriteDeps, id: JobId): Promise<boolean> {
  const statement = { name: 'remove_job', text: REMOVE, values: [id] };
  return (await writeOnce(database, statement)).length > 0;
}

export function skipSlots({ database, nowMs }: JobWriteDeps, skipped: SkipSlots): Promise<boolean> {
  const { jobId, missed } = skipped;
  return database.transact(async (transaction) => {
    const [job, mark] = await Promise.all([
      lockJob(transaction, jobId),
      readMark(transaction, nowMs?.()),
    ]);
    if (!isStillDue(job, skipped)) return { value: false, writes: [], xid: mark.xid };
    const firing = { outcome: 'missed', jobId, atMs: mark.nowMs, ...missed } as const;
    return { value: true, writes: passSlot(job, skipped, [firing]), xid: mark.xid };
  });
}
