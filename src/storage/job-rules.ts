import { RuntimeError } from '../core/errors.ts';
import type { SessionId } from '../core/ids.ts';
import type { CreateResult } from '../core/runs/run-store.ts';
import type { Firing, Job } from '../core/schedule/job.ts';
import type {
  CreateJobResult,
  FireResult,
  FireSlot,
  JobBounds,
  JobChange,
  NewJob,
  SlotClaim,
} from '../core/schedule/job-store.ts';
import { sessionNotFound } from '../core/sessions/session-not-found.ts';

/** A page is read in one go, and each job carries a message. */
export const MAX_PAGE_JOBS = 500;
export const MAX_PAGE_FIRINGS = 500;

/** Older ones go when one more is recorded; fired slots whose outcome nobody was told stay. */
export const MAX_KEPT_FIRINGS = 200;

/** A job that reports to an agent who never looks must not fill the store: beyond this its notices are dropped. */
export const MAX_NOTICES_IN_INBOX = 1_000;

export function newJob(job: NewJob, nowMs: number): Job {
  return { ...job, revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
}

/** Undefined when the caller worked it out for another revision than the job has. */
export function changeJob(
  job: Job,
  { change, revision = job.revision }: { change: JobChange; revision: number | undefined },
  nowMs: number,
): Job | undefined {
  if (revision !== job.revision) return undefined;
  return { ...job, ...change, revision: job.revision + 1, updatedAtMs: nowMs };
}

/** Whether the job still is as it was when somebody looked at this slot. */
export function isStillDue(job: Job | undefined, claim: SlotClaim): job is Job {
  return job?.revision === claim.revision && job.nextSlotMs === claim.dueSlotMs;
}

/** The job once this slot is behind it. Not a person's change: its revision and `updatedAtMs` stay. */
export function moveOn(job: Job, { nextSlotMs }: SlotClaim): Job {
  return { ...job, nextSlotMs, isEnabled: job.isEnabled && nextSlotMs !== undefined };
}

/** What a fired slot leaves in the history, oldest first: the stretch that was missed before it, then itself. */
export function firingsOf(fired: FireSlot, nowMs: number): Firing[] {
  const { jobId, slotMs, missed, run } = fired;
  const missing: Firing[] = missed ? [{ outcome: 'missed', jobId, atMs: nowMs, ...missed }] : [];
  return [
    ...missing,
    { outcome: 'fired', jobId, slotMs, atMs: nowMs, runId: run.id, runStatus: 'queued' },
  ];
}

/** What creating the run of a slot says about the slot. */
export function toFireResult(fired: FireSlot, result: CreateResult): FireResult {
  switch (result.outcome) {
    case 'created':
      return { outcome: 'fired', run: result.run, lease: result.lease };
    case 'queue_full':
    case 'session_full':
      return { outcome: result.outcome };
    case 'session_missing':
    case 'session_closed':
      throw sessionRefused(result.outcome, fired.run.sessionId);
    case 'replayed':
    case 'conflict':
      throw new RuntimeError('internal', `run ${fired.run.id} was fired with a key`);
  }
}

/** A slot fires into the session its caller opened for it. One that was closed meanwhile is opened anew by asking again. */
function sessionRefused(
  outcome: 'session_missing' | 'session_closed',
  id: SessionId | undefined,
): RuntimeError {
  if (outcome === 'session_missing') return sessionNotFound(id ?? '');
  return new RuntimeError('conflict', `session ${id} is closed`, { details: { session_id: id } });
}

/** As a part of what is stored together with the job: a refusal refuses all of that. */
export function assertCreated({ outcome }: CreateJobResult, { id }: NewJob): void {
  if (outcome === 'created') return;
  throw outcome === 'exists'
    ? new RuntimeError('conflict', `job ${id} exists already`)
    : new RuntimeError('limit_reached', 'there is no room for its jobs; remove some first');
}

export interface JobCounts {
  readonly jobs: number;
  /** Of the owner of the new one. */
  readonly own: number;
}

/** Which bound leaves no room for one more. */
export function findFull(
  { jobs, own }: JobCounts,
  { maxJobs, maxOfOwner }: JobBounds,
): CreateJobResult | undefined {
  if (maxOfOwner !== undefined && own >= maxOfOwner) return { outcome: 'owner_full' };
  return jobs >= maxJobs ? { outcome: 'full' } : undefined;
}
