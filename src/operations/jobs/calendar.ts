import { toIso } from '../../core/clock.ts';
import type { Calendar, Understood, Upcoming } from '../../core/schedule/calendar.ts';
import { toZonedIso } from '../../core/schedule/time-zone.ts';
import { decodeMoment } from '../moment.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import type { UnderstoodWordsShape, UpcomingTimesShape } from './calendar-shapes.ts';

export interface CalendarReading {
  readonly calendar: Calendar;
}

const define = operationsWith(() => import('./calendar-shapes.ts'));

const TAGS = ['scheduler'];
const ERRORS = [400, 401, 403, 429, 500, 503] as const;

export const listUpcoming = define({
  name: 'scheduler.upcoming',
  method: 'GET',
  path: '/api/admin/scheduler/upcoming',
  effect: 'read',
  summary: 'When jobs are due',
  description: 'Of all jobs that fire in a range of up to 92 days, by their first time.',
  tags: TAGS,
  errors: ERRORS,
  wire: ({ upcomingQuery, upcomingTimes }) => ({
    query: upcomingQuery,
    answers: { 200: answer('Times by job.', upcomingTimes) },
  }),
  async run({ calendar }: CalendarReading, { query: { from, until, per_job: perJob } }) {
    const range = { fromMs: decodeMoment(from), untilMs: decodeMoment(until), perJob };
    return encodeUpcoming(await calendar.listUpcoming(range));
  },
});

export const understandWords = define({
  name: 'scheduler.words',
  method: 'GET',
  path: '/api/admin/scheduler/words',
  effect: 'read',
  summary: 'What words mean as a schedule',
  description:
    'English, as in `every weekday at 9am` or `tomorrow at 18:00`, in a time zone. Nothing is created: each of `schedules` is ' +
    'what one job is created with. Words that are not understood are 400 with examples.',
  tags: TAGS,
  errors: ERRORS,
  wire: ({ wordsQuery, understoodWords }) => ({
    query: wordsQuery,
    answers: { 200: answer('Schedules, and the next five times.', understoodWords) },
  }),
  run: async ({ calendar }: CalendarReading, { query }) =>
    encodeUnderstood(query, calendar.understand(query.text, query.timezone)),
});

/** In the order of the documentation. */
export const CALENDAR_OPERATIONS: readonly AnyOperation<CalendarReading>[] = [
  listUpcoming,
  understandWords,
];

function encodeUpcoming(upcoming: Upcoming): UpcomingTimesShape {
  return {
    from: toIso(upcoming.fromMs),
    until: toIso(upcoming.untilMs),
    paused: upcoming.isPaused,
    jobs: upcoming.jobs.map((job) => ({
      job_id: job.id,
      agent_id: job.agentId,
      schedule: job.schedule,
      timezone: job.timezone,
      count: job.count,
      times: job.timesMs.map(toIso),
    })),
    truncated: upcoming.isTruncated,
  };
}

function encodeUnderstood(
  { text, timezone }: Pick<UnderstoodWordsShape, 'text' | 'timezone'>,
  { timings, upcomingMs, movesWithClocks }: Understood,
): UnderstoodWordsShape {
  return {
    text,
    timezone,
    schedules: timings.map(({ schedule, firstRunAtMs }) => ({
      schedule,
      first_run_at: firstRunAtMs === undefined ? null : toIso(firstRunAtMs),
    })),
    upcoming: upcomingMs.map((atMs) => ({ at: toIso(atMs), local: toZonedIso(atMs, timezone) })),
    moves_with_clocks: movesWithClocks,
  };
}
