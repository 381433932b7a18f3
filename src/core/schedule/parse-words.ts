import { toIso } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import { type IsDay, localTimeOn, nextLocalTime, type TimeOfDay } from './next-local-time.ts';
import { MAX_SCHEDULE_CHARS, parseSchedule, settleSchedule } from './parse-schedule.ts';
import { readFields } from './time-zone.ts';
import { readTimeOfDay } from './words-time.ts';

/** What words stand for: what jobs can be made with. */
export interface SaidSchedule {
  /** One; for several days of a week one for each, every week. */
  readonly schedules: readonly JobTiming[];
}

export interface JobTiming {
  /** As a job has it. */
  readonly schedule: string;
  /** When an interval is due first; undefined: one interval from now, or a moment. */
  readonly firstRunAtMs: number | undefined;
}

export interface SaidAt {
  readonly timeZone: string;
  readonly nowMs: number;
}

const EXAMPLES = [
  'every 15 minutes',
  'every day at 9:00',
  'every weekday at 9am',
  'every monday and thursday at 18:30',
  'tomorrow at 18:00',
  'in 2 hours',
  'on friday at noon',
  'on 2026-03-01 at 8:00',
];

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

const INTERVAL = /^(?:an?|(\d{1,6}|[a-z]+) )?\s*(second|minute|hour|day|week)s?$/;
const RECURRING = /^(?:every|each)\s+(.+?)(?:\s+at\s+(.+))?$/;
const ONCE =
  /^(?:on\s+|next\s+|this\s+)?(today|tomorrow|tonight|[a-z]+day|\d{4}-\d{2}-\d{2})(?:\s+at)?\s+(.+)$/;

/**
 * English only, and only so much of it that what is understood is never in doubt. What `parseSchedule` takes is taken
 * too. Throws `invalid_input` with examples.
 */
export function parseWords(given: string, at: SaidAt): SaidSchedule {
  const text = given.trim();
  if (text.length > MAX_SCHEDULE_CHARS) {
    throw refusal(`the words have more than ${MAX_SCHEDULE_CHARS} characters`);
  }
  if (/^@|^\d{4}-\d{2}-\d{2}t/i.test(text)) return asWritten(text, at);
  const words = normalize(text);
  const timings = readDelay(words, at) ?? readRecurring(words, at) ?? readOnce(words, at);
  if (timings === undefined) throw refusal(`${JSON.stringify(given)} is not understood`);
  for (const { schedule } of timings) assertToCome(schedule, given, at.nowMs);
  return { schedules: timings };
}

function asWritten(text: string, { nowMs }: SaidAt): SaidSchedule {
  const schedule = settleSchedule(text, nowMs);
  assertToCome(schedule, text, nowMs);
  return { schedules: [{ schedule, firstRunAtMs: undefined }] };
}

/** `Every  Day, at 9 o'clock` and the short words for it. */
function normalize(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[’']\s*clock/g, "'clock")
    .replace(/\s*o'clock\b/g, ':00');
  const plain = words
    .replace(/[.!]+$/, '')
    .replace(/,/g, ' and ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain
    .replace(/^hourly$/, 'every hour')
    .replace(/^(dai|week)ly\b/, (_, unit: string) => (unit === 'dai' ? 'every day' : 'every week'))
    .replace(/^every other (\w+)/, 'every 2 $1s')
    .replace(/^every half(?: an)? hour$/, 'every 30 minutes')
    .replace(/\b(?:and )+/g, 'and ');
}

/** `in 2 hours`. */
function readDelay(words: string, { nowMs }: SaidAt): readonly JobTiming[] | undefined {
  const seconds = /^in\s/.test(words) ? readSeconds(words.slice(3)) : undefined;
  return seconds === undefined ? undefined : [once(nowMs + seconds * 1_000)];
}

/** `every 15 minutes`, `every day at 9`, `every monday and friday at noon`. */
function readRecurring(words: string, at: SaidAt): readonly JobTiming[] | undefined {
  const [, what = '', when] = RECURRING.exec(words) ?? [];
  if (when === undefined) {
    const seconds = readSeconds(what);
    return seconds === undefined ? undefined : [every(seconds, undefined)];
  }
  const time = readTimeOfDay(when);
  if (time === undefined) return undefined;
  const days = readDays(what);
  if (days === undefined) return undefined;
  if (days.length === 7)
    return [
      every(
        DAY_SECONDS,
        next(time, at, () => true),
      ),
    ];
  const firsts = days.map((day) => next(time, at, (weekday) => weekday === day));
  return firsts.sort((a, b) => a - b).map((firstMs) => every(WEEK_SECONDS, firstMs));
}

/** `tomorrow at 18:00`, `on friday at noon`, `at 9:30`. */
function readOnce(words: string, at: SaidAt): readonly JobTiming[] | undefined {
  const alone = readTimeOfDay(words.replace(/^at\s+/, ''));
  if (alone !== undefined) return [once(next(alone, at, () => true))];
  const [, day = '', when = ''] = ONCE.exec(words) ?? [];
  const time = readTimeOfDay(when);
  if (time === undefined) return undefined;
  const weekday = WEEKDAYS.indexOf(day);
  if (weekday >= 0) return [once(next(time, at, (each) => each === weekday))];
  const date = readDate(day, at);
  return date && [once(localTimeOn(date, time, at.timeZone))];
}

function readDate(day: string, { nowMs, timeZone }: SaidAt) {
  const today = readFields(nowMs, timeZone);
  if (day === 'today' || day === 'tonight') return today;
  if (day === 'tomorrow') return { ...today, day: today.day + 1 };
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const given = { year: Number(year), month: Number(month), day: Number(date) };
  const real = new Date(Date.UTC(given.year, given.month - 1, given.day));
  const isReal = real.getUTCMonth() === given.month - 1 && real.getUTCDate() === given.day;
  return isReal ? given : undefined;
}

/** Weekdays by number, each once; undefined for what is none. */
function readDays(what: string): readonly number[] | undefined {
  const days = new Set<number>();
  for (const word of what.split(' and ')) {
    const known = readDay(word.trim());
    if (known === undefined) return undefined;
    for (const day of known) days.add(day);
  }
  return [...days];
}

function readDay(word: string): readonly number[] | undefined {
  if (word === 'day') return [0, 1, 2, 3, 4, 5, 6];
  if (/^(?:week|work(?:ing )?)days?$/.test(word)) return [1, 2, 3, 4, 5];
  if (/^weekend(?: day)?s?$/.test(word)) return [0, 6];
  const name = word.replace(/s$/, '');
  const day = WEEKDAYS.findIndex(
    (each) => each === name || (name.length >= 3 && name.length <= 4 && each.startsWith(name)),
  );
  return day < 0 ? undefined : [day];
}

function readSeconds(what: string): number | undefined {
  const [match, count, unit = ''] = INTERVAL.exec(what) ?? [];
  if (match === undefined) return undefined;
  const many = count === undefined ? 1 : readNumber(count);
  const seconds = (SECONDS[unit] ?? 0) * (many ?? 0);
  return seconds > 0 ? seconds : undefined;
}

function readNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const named = NUMBERS.indexOf(text);
  return named < 0 ? undefined : named;
}

function next(time: TimeOfDay, { timeZone, nowMs }: SaidAt, isDay: IsDay): number {
  return nextLocalTime({ ...time, isDay }, timeZone, nowMs);
}

function once(atMs: number): JobTiming {
  return { schedule: toIso(atMs), firstRunAtMs: undefined };
}

/** In the largest unit that it is a whole number of. */
function every(seconds: number, firstRunAtMs: number | undefined): JobTiming {
  if (seconds % 3_600 === 0) return { schedule: `@every ${seconds / 3_600}h`, firstRunAtMs };
  if (seconds % 60 === 0) return { schedule: `@every ${seconds / 60}m`, firstRunAtMs };
  return { schedule: `@every ${seconds}s`, firstRunAtMs };
}

function assertToCome(schedule: string, given: string, nowMs: number): void {
  const parsed = parseSchedule(schedule);
  if (parsed.kind === 'every' || parsed.atMs > nowMs) return;
  throw refusal(`${JSON.stringify(given)} is over: it means ${toIso(parsed.atMs)}`);
}

function refusal(message: string): RuntimeError {
  return new RuntimeError('invalid_input', `${message}; say it as in ${listExamples()}`, {
    details: { field: 'text' },
  });
}

function listExamples(): string {
  return EXAMPLES.map((example) => `"${example}"`).join(', ');
}
