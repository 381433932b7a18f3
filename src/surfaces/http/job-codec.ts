import { toIso } from '../../core/clock.ts';
import type { FiredSlot, Firing, Job } from '../../core/schedule/job.ts';
import type { FiringPage } from '../../core/schedule/job-store.ts';
import type { UpcomingSlot } from '../../core/schedule/jobs.ts';
import type { SchedulerState } from '../../core/schedule/scheduler-state.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type {
  FiredSlotShape,
  JobHistoryShape,
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
