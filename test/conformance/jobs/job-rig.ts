import { createIds } from '../../../src/core/create-ids.ts';
import type { JobId } from '../../../src/core/ids.ts';
import { OPERATOR } from '../../../src/core/principal.ts';
import type { Run } from '../../../src/core/runs/run.ts';
import type { Firing, Job, MissedSlots } from '../../../src/core/schedule/job.ts';
import type {
  FireSlot,
  JobStore,
  NewJob,
  SkipSlots,
} from '../../../src/core/schedule/job-store.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { AGENT, draft, MANY, newRun } from '../harness.ts';

const ids = createIds(() => Date.now());

export const MINUTE_MS = 60_000;

/** Due since this moment, and every minute from then on. */
export const SLOT_MS = 1_700_000_040_000;

export function newJob(overrides: Partial<NewJob> = {}): NewJob {
  return {
    id: ids.job(),
    agentId: AGENT,
    owner: OPERATOR,
    schedule: '@every 1m',
    message: 'look around',
    mode: 'isolated',
    notify: { channel: 'none', target: '' },
    isEnabled: true,
    timezone: 'UTC',
    catchUp: 'none',
    anchorMs: SLOT_MS - MINUTE_MS,
    nextSlotMs: SLOT_MS,
    ...overrides,
  };
}

export async function createJob(jobs: JobStore, overrides: Partial<NewJob> = {}): Promise<Job> {
  const result = await jobs.create(newJob(overrides), { maxJobs: MANY });
  if (result.outcome !== 'created') throw new Error(`expected a new job, got ${result.outcome}`);
  return result.job;
}

/** The due slot of a job as somebody would fire it who has just looked. */
export function slotOf(job: Job, overrides: Partial<FireSlot> = {}): FireSlot {
  const dueSlotMs = job.nextSlotMs ?? 0;
  return {
    jobId: job.id,
    revision: job.revision,
    dueSlotMs,
    nextSlotMs: dueSlotMs + MINUTE_MS,
    slotMs: dueSlotMs,
    missed: undefined,
    run: newRun({ agentId: job.agentId, source: 'scheduler', message: job.message }),
    drafts: [draft('run.created', { source: 'scheduler' })],
    options: { maxQueued: MANY },
    maxOpenRuns: MANY,
    ...overrides,
  };
}

/** The due slot of a job as somebody would skip it who has just looked. */
export function skipOf(job: Job, overrides: Partial<SkipSlots> = {}): SkipSlots {
  const dueSlotMs = job.nextSlotMs ?? 0;
  return {
    jobId: job.id,
    revision: job.revision,
    dueSlotMs,
    nextSlotMs: dueSlotMs + MINUTE_MS,
    missed: { reason: 'late', firstSlotMs: dueSlotMs, lastSlotMs: dueSlotMs, count: 1 },
    ...overrides,
  };
}

export const MISSED: MissedSlots = {
  reason: 'late',
  firstSlotMs: SLOT_MS,
  lastSlotMs: SLOT_MS + 4 * MINUTE_MS,
  count: 5,
};

/** Fires the due slot of a job; the run is queued. */
export async function fire(jobs: JobStore, slot: FireSlot): Promise<Run> {
  const result = await jobs.fire(slot);
  if (result.outcome !== 'fired') throw new Error(`expected a fired slot, got ${result.outcome}`);
  return result.run;
}

export async function getJob(jobs: JobStore, id: JobId): Promise<Job> {
  const job = await jobs.find(id);
  if (!job) throw new Error(`job ${id} is gone`);
  return job;
}

export async function listAllFirings(jobs: JobStore, jobId: JobId): Promise<readonly Firing[]> {
  return (await jobs.listFirings({ jobId, limit: 500 })).firings;
}

const AGENT_ROW = {
  id: AGENT,
  name: 'Default',
  role: 'assistant',
  model: undefined,
  instructions: '',
};

export const ensureAgent = ({ agents }: Storage): Promise<void> => agents.ensure(AGENT_ROW);

/** The same by many at once, on two handles. */
export function race<T>(
  [one, other]: readonly [JobStore, JobStore],
  attempt: (jobs: JobStore) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: 8 }, (_, index) => attempt(index % 2 === 0 ? one : other)),
  );
}
