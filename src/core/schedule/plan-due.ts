import type { Job, MissedSlots } from './job.ts';
import { parseSchedule } from './parse-schedule.ts';
import { countSlots, type SlotSeries, slotAfter, slotNotAfter } from './slots.ts';

/** What is to be done about the slots of a job that have passed. */
export type DuePlan =
  | { readonly action: 'wait' }
  | FirePlan
  | {
      readonly action: 'skip';
      readonly dueSlotMs: number;
      readonly missed: MissedSlots;
      readonly nextSlotMs: number | undefined;
    };

export interface FirePlan {
  readonly action: 'fire';
  readonly dueSlotMs: number;
  readonly slotMs: number;
  /** The slots before it that nobody fired. */
  readonly missed: MissedSlots | undefined;
  readonly nextSlotMs: number | undefined;
}

export interface DueAt {
  readonly nowMs: number;
  /** How late a slot may still be fired. */
  readonly graceMs: number;
}

type PlannedJob = Pick<Job, 'schedule' | 'anchorMs' | 'nextSlotMs' | 'catchUp'>;

/**
 * Of the slots that have passed only the newest can fire: a backlog of equal runs helps nobody. It does so within the
 * grace, or whenever the job catches up. All others are missed, as one stretch, however many they are.
 */
export function planDue(job: PlannedJob, { nowMs, graceMs }: DueAt): DuePlan {
  const dueSlotMs = job.nextSlotMs;
  if (dueSlotMs === undefined || dueSlotMs > nowMs) return { action: 'wait' };
  const series = findSeries(job);
  const slotMs = series ? Math.max(dueSlotMs, slotNotAfter(series, nowMs) ?? 0) : dueSlotMs;
  const nextSlotMs = series && slotAfter(series, Math.max(slotMs, nowMs));
  if (nowMs - slotMs > graceMs && job.catchUp === 'none') {
    const missed = toMissed(series, dueSlotMs, slotMs);
    return { action: 'skip', dueSlotMs, missed, nextSlotMs };
  }
  const missed =
    series && slotMs > dueSlotMs ? toMissed(series, dueSlotMs, slotMs - series.everyMs) : undefined;
  return { action: 'fire', dueSlotMs, slotMs, missed, nextSlotMs };
}

/** Undefined for a job that is due once. */
export function findSeries(job: Pick<Job, 'schedule' | 'anchorMs'>): SlotSeries | undefined {
  const schedule = parseSchedule(job.schedule);
  if (schedule.kind === 'once') return undefined;
  return { anchorMs: job.anchorMs, everyMs: schedule.everyMs };
}

function toMissed(
  series: SlotSeries | undefined,
  firstSlotMs: number,
  lastSlotMs: number,
): MissedSlots {
  const count = series ? countSlots(series, firstSlotMs, lastSlotMs) : 1;
  return { reason: 'late', firstSlotMs, lastSlotMs, count };
}
