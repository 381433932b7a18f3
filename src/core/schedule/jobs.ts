import { type AgentDirectory, toAgentId } from '../agents/resolve-agent.ts';
import { type Clock, toIso } from '../clock.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Ids, JobId } from '../ids.ts';
import { OPERATOR } from '../principal.ts';
import type { Redactor } from '../redact/redact.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { FiredSlot, Job } from './job.ts';
import { createJobDrafts, type GivenJob } from './job-drafts.ts';
import { invalid, parseJobId } from './job-fields.ts';
import type {
  FiringPage,
  JobBounds,
  JobFilter,
  JobPage,
  JobStore,
  JobSummary,
  NewJob,
} from './job-store.ts';
import { findSeries } from './plan-due.ts';
import { slotAfter } from './slots.ts';
import { toZonedIso } from './time-zone.ts';

/**
 * What every surface may do with jobs. Ids and fields come as callers gave them: what is not usable throws
 * `invalid_input` with `details.field`, and nothing is written.
 */
export interface Jobs {
  /**
   * Throws `not_found` for an unknown agent or target, `limit_reached` when all or its owner have too many jobs, and `conflict`
   * when another job has the wanted id. The same job again under its id is answered with the first.
   */
  create(job: CreateJob): Promise<JobReceipt>;
  /** Throws `not_found`. */
  get(id: string): Promise<Job>;
  /** By id. */
  list(filter: JobFilter): Promise<JobPage>;
  /** Changes the fields that are given. A new schedule counts its slots from now. Throws `not_found`. */
  update(id: string, change: UpdateJob): Promise<Job>;
  /** Runs it made stay. Throws `not_found`. */
  remove(id: string): Promise<void>;
  /** Stops firing this job; slots that pass until it is resumed are not counted as missed. Idempotent. */
  pause(id: string): Promise<Job>;
  /** Goes on with the first slot from now on. Throws `invalid_input` for a one-shot whose moment is over. */
  resume(id: string): Promise<Job>;
  /** Whether all firing is held back. */
  isPaused(): Promise<boolean>;
  pauseAll(): Promise<void>;
  resumeAll(): Promise<void>;
  /** The next times it will fire; none for a job that is disabled. Throws `not_found`. */
  preview(id: string, count: number): Promise<readonly UpcomingSlot[]>;
  /** What became of its slots, newest first. Throws `not_found`. */
  history(id: string, page: HistoryPage): Promise<FiringPage>;
  /** The newest run of each of these jobs that had one, as far as is remembered. */
  lastFired(jobs: readonly Job[]): Promise<ReadonlyMap<JobId, FiredSlot>>;
  /** All jobs at a glance. */
  summarize(): Promise<JobSummary>;
}

/** For those who only look. */
export type JobReader = Pick<
  Jobs,
  'list' | 'get' | 'history' | 'preview' | 'isPaused' | 'lastFired' | 'summarize'
>;

export interface CreateJob extends GivenJob {
  /** Made when absent. */
  readonly id?: string;
}

type UpdateJob = Partial<GivenJob>;

interface JobReceipt {
  readonly job: Job;
  /** True when an equal job was there already under this id. */
  readonly replayed: boolean;
}

export interface UpcomingSlot {
  readonly slotMs: number;
  readonly utc: string;
  /** The same moment with the offset of the job's time zone. */
  readonly local: string;
}

interface HistoryPage {
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: number;
}

export interface JobsDeps {
  readonly store: JobStore;
  readonly agents: AgentDirectory;
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly ids: Pick<Ids, 'job'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Asked at every creation: the configuration is live. */
  readonly maxJobs: () => number;
  /** One that makes many must not lock out the rest; the operator has no such bound. */
  readonly maxJobsPerPrincipal: () => number;
  /** Told after every change, so that the scheduler of this process need not wait for its next look. */
  readonly onChange?: () => void;
}

export const MAX_PREVIEW = 100;
export const MAX_JOB_PAGE = 200;

/** Somebody else changing the same job at the same moment is rare; this often in a row, something is wrong. */
const MAX_UPDATE_ATTEMPTS = 5;

export function createJobs(deps: JobsDeps): Jobs {
  const { store, clock } = deps;
  const drafts = createJobDrafts(deps);
  const announce = () => deps.onChange?.();

  async function get(id: string): Promise<Job> {
    const jobId = parseJobId(id);
    const job = await store.find(jobId);
    if (!job) throw jobNotFound(jobId);
    return job;
  }

  async function update(id: string, change: UpdateJob): Promise<Job> {
    for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
      const job = await get(id);
      const draft = await drafts.change(job, change);
      if (Object.keys(draft).length === 0) return job;
      const updated = await store.update(job.id, draft, job.revision);
      if (updated) {
        announce();
        return updated;
      }
    }
    throw new RuntimeError('conflict', `job ${id} is being changed by others; try again`);
  }

  async function setPaused(isPaused: boolean): Promise<void> {
    await store.setPaused(isPaused);
    announce();
  }

  return {
    async create(given) {
      const id = given.id === undefined ? deps.ids.job() : parseJobId(given.id);
      const known = given.id === undefined ? undefined : await store.find(id);
      if (known) return replay(known, await drafts.compare(known, given));
      const draft = await drafts.create(id, given);
      const bounds = toBounds(deps, draft.owner);
      const result = await store.create(draft, bounds);
      if (result.outcome === 'full') throw tooManyJobs('there are', bounds.maxJobs);
      if (result.outcome === 'owner_full') {
        throw tooManyJobs(`${draft.owner} has`, bounds.maxOfOwner ?? 0);
      }
      if (result.outcome === 'exists') {
        const job = await get(id);
        return replay(job, await drafts.compare(job, given));
      }
      announce();
      return { job: result.job, replayed: false };
    },

    get,
    list: (filter) => listJobs(deps, filter),
    update,

    async remove(id) {
      const jobId = parseJobId(id);
      if (!(await store.remove(jobId))) throw jobNotFound(jobId);
      announce();
    },

    pause: (id) => update(id, { isEnabled: false }),
    resume: (id) => update(id, { isEnabled: true }),
    isPaused: () => store.isPaused(),
    pauseAll: () => setPaused(true),
    resumeAll: () => setPaused(false),

    async preview(id, count) {
      if (!Number.isInteger(count) || count < 1 || count > MAX_PREVIEW) {
        throw invalid('count', `count must be a whole number from 1 to ${MAX_PREVIEW}`);
      }
      return previewSlots(await get(id), clock.nowMs(), count);
    },

    async history(id, page) {
      const job = await get(id);
      return store.listFirings({ ...page, limit: toPageSize(page.limit), jobId: job.id });
    },

    async lastFired(some) {
      const fired = await store.listLastFired(some.map(({ id }) => id));
      return new Map(fired.map((slot) => [slot.jobId, slot]));
    },

    summarize: () => store.summarize(),
  };
}

async function listJobs({ store, agents }: JobsDeps, filter: JobFilter): Promise<JobPage> {
  const { agentId: reference } = filter;
  const agentId = reference && (await toAgentId(agents, reference));
  return store.list({ ...filter, ...defined({ agentId }), limit: toPageSize(filter.limit) });
}

/** Slots that are still to come, also when one that is due has not been fired yet. */
function previewSlots(
  job: Pick<NewJob, 'schedule' | 'anchorMs' | 'nextSlotMs' | 'isEnabled' | 'timezone'>,
  nowMs: number,
  count: number,
): readonly UpcomingSlot[] {
  if (!job.isEnabled || job.nextSlotMs === undefined) return [];
  const series = findSeries(job);
  if (!series) return [toUpcoming(job.nextSlotMs, job.timezone)];
  const firstMs = Math.max(job.nextSlotMs, slotAfter(series, nowMs));
  return Array.from({ length: count }, (_, index) =>
    toUpcoming(firstMs + index * series.everyMs, job.timezone),
  );
}

function toUpcoming(slotMs: number, timezone: string): UpcomingSlot {
  return { slotMs, utc: toIso(slotMs), local: toZonedIso(slotMs, timezone) };
}

function replay(job: Job, isEqual: boolean): JobReceipt {
  if (isEqual) return { job, replayed: true };
  throw new RuntimeError('conflict', `job ${job.id} exists already and is another one`, {
    details: { job_id: job.id },
  });
}

function toPageSize(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_JOB_PAGE) return limit;
  throw invalid('limit', `limit must be a whole number from 1 to ${MAX_JOB_PAGE}`);
}

function toBounds({ maxJobs, maxJobsPerPrincipal }: JobsDeps, owner: string): JobBounds {
  const all = { maxJobs: maxJobs() };
  return owner === OPERATOR ? all : { ...all, maxOfOwner: maxJobsPerPrincipal() };
}

function tooManyJobs(who: string, maxJobs: number): RuntimeError {
  return new RuntimeError('limit_reached', `${who} ${maxJobs} jobs already; remove one first`, {
    details: { max_jobs: maxJobs },
  });
}

function jobNotFound(id: JobId): RuntimeError {
  return new RuntimeError('not_found', `job ${id} does not exist`, { details: { thing: 'job' } });
}
