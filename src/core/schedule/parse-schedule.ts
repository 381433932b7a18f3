import { toIso } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import { parseDuration } from './parse-duration.ts';

/** When a job is due: over and over, or at one moment. */
export type Schedule =
  | { readonly kind: 'every'; readonly everyMs: number }
  | { readonly kind: 'once'; readonly atMs: number };

export const MAX_SCHEDULE_CHARS = 128;

const SUPPORTED =
  'use "@every <duration>", as in "@every 1h30m", or one moment in RFC 3339 with its offset, as in "2026-02-18T09:00:00Z"';

const EVERY = /^@every\s+(\S.*)$/;
const CRON_NAME = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|reboot)$/i;
const CRON_FIELD = /^[\d*/,\-?#LWA-Za-z]+$/;
const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const MOMENT_WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;

/** Throws `invalid_input` with what is supported. Whether a moment has passed is for the caller to ask. */
export function parseSchedule(given: string): Schedule {
  const text = given.trim();
  if (text === '') throw refusal(`schedule is empty: ${SUPPORTED}`);
  if (text.length > MAX_SCHEDULE_CHARS) {
    throw refusal(`schedule has more than ${MAX_SCHEDULE_CHARS} characters: ${SUPPORTED}`);
  }
  const duration = EVERY.exec(text)?.[1];
  if (duration !== undefined) return { kind: 'every', everyMs: parseDuration(duration) };
  const atMs = findMoment(text);
  if (atMs !== undefined) return { kind: 'once', atMs };
  throw refusal(`${describeFault(text)}: ${SUPPORTED}`);
}

const IN = /^@in\s+(\S.*)$/;

/**
 * What is stored of a schedule as callers may write it: `@in 5m` is the moment five minutes after `fromMs`, everything
 * else is itself. Throws as `parseSchedule` does.
 */
export function settleSchedule(given: string, fromMs: number): string {
  const text = given.trim();
  const duration = text.length > MAX_SCHEDULE_CHARS ? undefined : IN.exec(text)?.[1];
  if (duration !== undefined) return toIso(fromMs + parseDuration(duration));
  parseSchedule(text);
  return text;
}

function describeFault(text: string): string {
  const shown = JSON.stringify(text);
  if (isCron(text)) return `schedule ${shown} is a cron expression, which is not supported`;
  if (MOMENT.test(text)) return `schedule ${shown} is a moment that does not exist`;
  if (MOMENT_WITHOUT_OFFSET.test(text)) return `schedule ${shown} says no time with an offset`;
  return `schedule ${shown} is not supported`;
}

function isCron(text: string): boolean {
  if (CRON_NAME.test(text)) return true;
  const fields = text.split(/\s+/);
  return (
    fields.length >= 5 && fields.length <= 7 && fields.every((field) => CRON_FIELD.test(field))
  );
}

/** Undefined when the text is no moment, or one the calendar does not have. */
export function findMoment(text: string): number | undefined {
  const parts = MOMENT.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map(Number);
  const offsetHours = Number(parts[9] ?? 0);
  const offsetMinutes = Number(parts[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) {
    return undefined;
  }
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const ms = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const sign = parts[8] === '-' ? -1 : 1;
  const offsetMs = sign * (offsetHours * 60 + offsetMinutes) * 60_000;
  return date.setUTCHours(hour, minute, second, ms) - offsetMs;
}

function refusal(message: string): RuntimeError {
  return new RuntimeError('invalid_input', message, { details: { field: 'schedule' } });
}
