import type { Clock } from '../clock.ts';
import type { AgentId, JobId } from '../ids.ts';
import type { Job } from './job.ts';
import { invalid, parseTimeZone } from './job-fields.ts';
import type { JobStore } from './job-store.ts';
import { parseSchedule } from './parse-schedule.ts';
import { type JobTiming, parseWords } from './parse-words.ts';
import { findSeries } from './plan-due.ts';
import { countSlots, slotAfter, slotNotAfter } from './slots.ts';
import { offsetMsAt } from './time-zone.ts';

/** What is to come, and how it is said. */
export interface Calendar {
  /** When jobs are due in a range, by job. Throws `invalid_input` for a range that is none, or too long. */
  listUpcoming(range: CalendarRange): Promise<Upcoming>;
  /** Throws `invalid_input` with examples for words that are not understood. */
  understand(words: string, timeZone: string): Understood;
}

export interface CalendarRange {
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
  /** Times of one job that are listed; the others are counted. */
  readonly perJob: number;
}

export interface Upcoming {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Nothing fires while all are held back. */
  readonly isPaused: boolean;
  /** By the first time. */
  readonly jobs: readonly UpcomingJob[];
  /** Whether times were left out because there are too many jobs. */
  readonly isTruncated: boolean;
}

export interface UpcomingJob {
  readonly id: JobId;
  readonly agentId: AgentId;
  readonly schedule: string;
  readonly timezone: string;
  /** In the range. */
  readonly count: number;
  /** The first of them. */
  readonly timesMs: readonly number[];
}

export interface Understood {
  readonly timings: readonly JobTiming[];
  /** The next of all of them together. */
  readonly upcomingMs: readonly number[];
  /** It is counted in hours, and clocks of the zone change: then it moves by what they change. */
  readonly movesWithClocks: boolean;
}

export interface CalendarDeps {
  readonly store: Pick<JobStore, 'list' | 'isPaused'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const DAY_MS = 24 * 3_600_000;
const DEFAULT_RANGE_MS = 7 * DAY_MS;
const MAX_RANGE_MS = 92 * DAY_MS;
const JOBS_PER_LOOK = 200;
/** Of all jobs in one answer. */
const MAX_TIMES = 5_000;
const PREVIEWED = 5;

export function createCalendar({ store, clock }: CalendarDeps): Calendar {
  return {
    async listUpcoming(range) {
      const nowMs = clock.nowMs();
      const fromMs = Math.max(nowMs, range.fromMs ?? nowMs);
      const untilMs = range.untilMs ?? fromMs + DEFAULT_RANGE_MS;
      assertRange(fromMs, untilMs);
      const found: UpcomingJob[] = [];
      for await (const job of listAll(store)) {
        const upcoming = findUpcoming(job, { fromMs, untilMs, perJob: range.perJob });
        if (upcoming) found.push(upcoming);
      }
      found.sort((a, b) => (a.timesMs[0] ?? 0) - (b.timesMs[0] ?? 0));
      const jobs = takeFitting(found);
      const isTruncated = jobs.length < found.length;
      return { fromMs, untilMs, isPaused: await store.isPaused(), jobs, isTruncated };
    },

    understand(words, timeZone) {
      const zone = parseTimeZone(timeZone);
      const nowMs = clock.nowMs();
      const { schedules: timings } = parseWords(words, { timeZone: zone, nowMs });
      const upcomingMs = timings.flatMap((timing) => previewTiming(timing, nowMs));
      return {
        timings,
        upcomingMs: upcomingMs.sort((a, b) => a - b).slice(0, PREVIEWED),
        movesWithClocks:
          timings.some(({ firstRunAtMs }) => firstRunAtMs !== undefined) &&
          hasSummerTime(zone, nowMs),
      };
    },
  };
}

function assertRange(fromMs: number, untilMs: number): void {
  if (untilMs <= fromMs) throw invalid('until', 'until must be later than from, and to come');
  if (untilMs - fromMs > MAX_RANGE_MS) throw invalid('until', 'a range has at most 92 days');
}

async function* listAll(store: CalendarDeps['store']): AsyncGenerator<Job> {
  let after: JobId | undefined;
  do {
    const page = await store.list({ limit: JOBS_PER_LOOK, ...(after && { after }) });
    yield* page.jobs;
    after = page.next;
  } while (after !== undefined);
}

function findUpcoming(
  job: Job,
  { fromMs, untilMs, perJob }: { fromMs: number; untilMs: number; perJob: number },
): UpcomingJob | undefined {
  if (!job.isEnabled || job.nextSlotMs === undefined) return undefined;
  const { id, agentId, schedule, timezone } = job;
  const series = findSeries(job);
  const firstMs = series ? Math.max(job.nextSlotMs, slotAfter(series, fromMs - 1)) : job.nextSlotMs;
  if (firstMs < fromMs || firstMs >= untilMs) return undefined;
  const lastMs = series ? slotNotAfter(series, untilMs - 1) : firstMs;
  const count = series && lastMs !== undefined ? countSlots(series, firstMs, lastMs) : 1;
  const timesMs = Array.from(
    { length: Math.min(count, perJob) },
    (_, index) => firstMs + index * (series?.everyMs ?? 0),
  );
  return { id, agentId, schedule, timezone, count, timesMs };
}

function takeFitting(jobs: readonly UpcomingJob[]): readonly UpcomingJob[] {
  let times = 0;
  const over = jobs.findIndex(({ timesMs }) => {
    times += timesMs.length;
    return times > MAX_TIMES;
  });
  return over < 0 ? jobs : jobs.slice(0, over);
}

function previewTiming({ schedule, firstRunAtMs }: JobTiming, nowMs: number): readonly number[] {
  const parsed = parseSchedule(schedule);
  if (parsed.kind === 'once') return [parsed.atMs];
  const firstMs = firstRunAtMs ?? nowMs + parsed.everyMs;
  return Array.from({ length: PREVIEWED }, (_, index) => firstMs + index * parsed.everyMs);
}

function hasSummerTime(timeZone: string, nowMs: number): boolean {
  const quarters = [0, 91, 182, 273].map((days) => offsetMsAt(nowMs + days * DAY_MS, timeZone));
  return new Set(quarters).size > 1;
}
