import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RuntimeError } from '../errors.ts';
import { parseSchedule } from './parse-schedule.ts';

const HOW =
  'use "@every <duration>", as in "@every 1h30m", or one moment in RFC 3339 with its offset, as in "2026-02-18T09:00:00Z"';

function refusalOf(text: string): string {
  try {
    return JSON.stringify(parseSchedule(text));
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(RuntimeError);
    expect(thrown).toMatchObject({ code: 'invalid_input', details: { field: 'schedule' } });
    return (thrown as RuntimeError).message;
  }
}

test.each([
  ['@every 30m', 1_800_000],
  ['  @every   1.5h ', 5_400_000],
])('%j is an interval', (text, everyMs) => {
  expect(parseSchedule(text)).toEqual({ kind: 'every', everyMs });
});

test.each([
  ['2026-02-18T09:00:00Z', Date.UTC(2026, 1, 18, 9)],
  ['2026-02-18t09:00:00z', Date.UTC(2026, 1, 18, 9)],
  ['2026-02-18T09:00:00.25Z', Date.UTC(2026, 1, 18, 9, 0, 0, 250)],
  ['2026-02-18T09:00:00.123456789Z', Date.UTC(2026, 1, 18, 9, 0, 0, 123)],
  ['2026-02-18T09:00:00+05:30', Date.UTC(2026, 1, 18, 3, 30)],
  ['2026-02-18T09:00:00-08:00', Date.UTC(2026, 1, 18, 17)],
  ['2024-02-29T23:59:59-00:00', Date.UTC(2024, 1, 29, 23, 59, 59)],
])('%j is one moment', (text, atMs) => {
  expect(parseSchedule(text)).toEqual({ kind: 'once', atMs });
});

test.each([
  '0 9 * * *',
  '*/5 * * * *',
  '0 0 12 1/5 * ?',
  '0 9 * * MON-FRI',
  '@daily',
  '@Hourly',
  '@midnight',
  '@reboot',
])('cron text %j is refused as such', (text) => {
  expect(refusalOf(text)).toBe(
    `schedule ${JSON.stringify(text)} is a cron expression, which is not supported: ${HOW}`,
  );
});

test.each([
  ['', 'schedule is empty'],
  ['   ', 'schedule is empty'],
  ['x'.repeat(129), 'schedule has more than 128 characters'],
  ['tomorrow', 'schedule "tomorrow" is not supported'],
  ['@every', 'schedule "@every" is not supported'],
  ['every 1h', 'schedule "every 1h" is not supported'],
  ['2026-02-18', 'schedule "2026-02-18" says no time with an offset'],
  ['2026-02-18T09:00:00', 'schedule "2026-02-18T09:00:00" says no time with an offset'],
  ['2026-02-30T09:00:00Z', 'schedule "2026-02-30T09:00:00Z" is a moment that does not exist'],
  ['2025-02-29T09:00:00Z', 'schedule "2025-02-29T09:00:00Z" is a moment that does not exist'],
  ['2026-13-01T09:00:00Z', 'schedule "2026-13-01T09:00:00Z" is a moment that does not exist'],
  ['2026-01-01T24:00:00Z', 'schedule "2026-01-01T24:00:00Z" is a moment that does not exist'],
  ['2026-01-01T09:00:60Z', 'schedule "2026-01-01T09:00:60Z" is a moment that does not exist'],
  [
    '2026-01-01T09:00:00+24:00',
    'schedule "2026-01-01T09:00:00+24:00" is a moment that does not exist',
  ],
])('refuses %j', (text, why) => {
  expect(refusalOf(text)).toBe(`${why}: ${HOW}`);
});

test('a bad duration is refused with what durations look like', () => {
  expect(refusalOf('@every 500ms')).toBe(
    '"500ms" is shorter than 1s: write numbers with the units h, m, s, ms, us or ns, at least 1s together, as in 1h30m, 90s or 1.5h',
  );
});

test('every moment that ISO text can say is read as Date reads it', () => {
  const moments = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });

  fc.assert(
    fc.property(moments, (date) => {
      expect(parseSchedule(date.toISOString())).toEqual({ kind: 'once', atMs: date.getTime() });
    }),
  );
});
