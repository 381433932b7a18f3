import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { JOB_ID_PATTERN, type JobId } from '../../core/ids.ts';
import type { FiredSlot, Firing, Job } from '../../core/schedule/job.ts';
import type { GivenJob } from '../../core/schedule/job-drafts.ts';
import type { FiringPage, JobPage } from '../../core/schedule/job-store.ts';
import type { UpcomingSlot } from '../../core/schedule/jobs.ts';
import type { SchedulerState } from '../../core/schedule/scheduler-state.ts';
import { decodeCursor, encodeCursor, encodeNext } from '../cursor.ts';
import type {
  FiredSlotShape,
  JobFieldsShape,
  JobHistoryShape,
  JobListShape,
  JobPreviewShape,
  JobShape,
  MissedSlotsShape,
  SchedulerStateShape,
} from './job-shapes.ts';

export function encodeJob(job: Job, lastRun: FiredSlot | undefined): JobShape {
  const { isEnabled, nextSlotMs } = job;
  return {
    job_id: job.id,
    agent_id: job.agentId,
    schedule: job.schedule,
    message: job.message,
    mode: job.mode,
    notify: { channel: job.notify.channel, target: job.notify.target },
    enabled: isEnabled,
    timezone: job.timezone,
    catch_up: job.catchUp,
    next_run_at: isEnabled && nextSlotMs !== undefined ? toIso(nextSlotMs) : null,
    last_run: lastRun === undefined ? null : encodeFired(lastRun),
    created_at: toIso(job.createdAtMs),
    updated_at: toIso(job.updatedAtMs),
  };
}

export function encodeJobPage(
  { jobs, next }: JobPage,
  lastRuns: ReadonlyMap<JobId, FiredSlot>,
): JobListShape {
  return {
    jobs: jobs.map((job) => encodeJob(job, lastRuns.get(job.id))),
    next_cursor: encodeNext(next),
  };
}

export function decodeJobCursor(cursor: string): JobId {
  return decodeCursor(cursor, (place) => JOB_ID_PATTERN.test(place)) as JobId;
}

export function encodeHistory(jobId: string, { firings, next }: FiringPage): JobHistoryShape {
  return {
    job_id: jobId,
    firings: firings.map(encodeFiring),
    next_cursor: next === undefined ? null : encodeCursor(String(next)),
  };
}

export function decodeHistoryCursor(cursor: string): number {
  return Number(decodeCursor(cursor, (text) => /^-?\d{1,16}$/.test(text)));
}

export function encodePreview(job: Job, upcoming: readonly UpcomingSlot[]): JobPreviewShape {
  return {
    job_id: job.id,
    timezone: job.timezone,
    upcoming: upcoming.map(({ utc, local }) => ({ at: utc, local })),
  };
}

export function encodeSchedulerState(state: SchedulerState): SchedulerStateShape {
  const { next } = state;
  return {
    enabled: state.isEnabled,
    paused: state.isPaused,
    jobs: state.jobCount,
    next: next === undefined ? null : { job_id: next.jobId, at: toIso(next.slotMs) },
  };
}

function encodeFiring(firing: Firing): FiredSlotShape | MissedSlotsShape {
  if (firing.outcome === 'fired') return encodeFired(firing);
  return {
    outcome: 'missed',
    reason: firing.reason,
    first_slot_at: toIso(firing.firstSlotMs),
    last_slot_at: toIso(firing.lastSlotMs),
    count: firing.count,
    at: toIso(firing.atMs),
  };
}

function encodeFired(fired: FiredSlot): FiredSlotShape {
  return {
    outcome: 'fired',
    slot_at: toIso(fired.slotMs),
    at: toIso(fired.atMs),
    run_id: fired.runId,
    run_status: fired.runStatus,
  };
}

/** Of a job that is replaced, what is left out falls back to its default. */
export const DEFAULT_FIELDS = {
  notify: { channel: 'none', target: '' },
  timezone: 'UTC',
  catchUp: 'none',
} satisfies Partial<GivenJob>;

export function decodeJobFields(fields: JobFieldsShape): Partial<GivenJob> {
  const { agent_id: ofAgent, schedule, message, mode, notify, timezone } = fields;
  return {
    ...defined({
      agentId: ofAgent,
      schedule,
      message,
      mode,
      notify,
      isEnabled: fields.enabled,
      timezone,
      catchUp: fields.catch_up,
      firstRunAt: fields.first_run_at,
    }),
  };
}
