import { expect, test } from 'vitest';
import { parseWords } from './parse-words.ts';
import { toZonedIso } from './time-zone.ts';

/** A Wednesday, 10:20 in Berlin. */
const NOW = Date.parse('2026-02-18T09:20:00Z');
const BERLIN = { timeZone: 'Europe/Berlin', nowMs: NOW };

function say(text: string): string[] {
  return parseWords(text, BERLIN).schedules.map(({ schedule, firstRunAtMs }) =>
    firstRunAtMs === undefined
      ? schedule
      : `${schedule} from ${toZonedIso(firstRunAtMs, BERLIN.timeZone)}`,
  );
}

test.each([
  ['every 15 minutes', ['@every 15m']],
  ['Every hour.', ['@every 1h']],
  ['every half hour', ['@every 30m']],
  ['each two days', ['@every 48h']],
  ['every other day', ['@every 48h']],
  ['every 90 seconds', ['@every 90s']],
  ['hourly', ['@every 1h']],
  ['weekly', ['@every 168h']],
  ['every day at 9', ['@every 24h from 2026-02-19T09:00:00+01:00']],
  ['daily at 6:30 pm', ['@every 24h from 2026-02-18T18:30:00+01:00']],
  ["every day at 11 o'clock", ['@every 24h from 2026-02-18T11:00:00+01:00']],
  ['every monday at noon', ['@every 168h from 2026-02-23T12:00:00+01:00']],
  ['every wednesday at 10:20', ['@every 168h from 2026-02-25T10:20:00+01:00']],
  [
    'every mon, wed and fri at 18:00',
    [
      '@every 168h from 2026-02-18T18:00:00+01:00',
      '@every 168h from 2026-02-20T18:00:00+01:00',
      '@every 168h from 2026-02-23T18:00:00+01:00',
    ],
  ],
  [
    'every weekend at midnight',
    ['@every 168h from 2026-02-21T00:00:00+01:00', '@every 168h from 2026-02-22T00:00:00+01:00'],
  ],
  ['tomorrow at 18:00', ['2026-02-19T17:00:00.000Z']],
  ['today at 11', ['2026-02-18T10:00:00.000Z']],
  ['at 9am', ['2026-02-19T08:00:00.000Z']],
  ['on friday at 12 pm', ['2026-02-20T11:00:00.000Z']],
  ['next wednesday at 9', ['2026-02-25T08:00:00.000Z']],
  ['on 2026-07-01 at 8:00', ['2026-07-01T06:00:00.000Z']],
  ['in 2 hours', ['2026-02-18T11:20:00.000Z']],
  ['in an hour', ['2026-02-18T10:20:00.000Z']],
  ['@every 1h30m', ['@every 1h30m']],
  ['@in 5m', ['2026-02-18T09:25:00.000Z']],
  ['2026-03-01T09:00:00Z', ['2026-03-01T09:00:00Z']],
])('%j is %j', (text, expected) => {
  expect(say(text)).toEqual(expected);
});

test('every weekday is a week of jobs, in the order they are due', () => {
  expect(say('every weekday at 9am')).toEqual([
    '@every 168h from 2026-02-19T09:00:00+01:00',
    '@every 168h from 2026-02-20T09:00:00+01:00',
    '@every 168h from 2026-02-23T09:00:00+01:00',
    '@every 168h from 2026-02-24T09:00:00+01:00',
    '@every 168h from 2026-02-25T09:00:00+01:00',
  ]);
});

test.each([
  '',
  'soon',
  'every',
  'every month',
  'every 0 minutes',
  'every few minutes',
  'every day at 25',
  'every day at 13 pm',
  'every day at nine-ish',
  'every blueday at 9',
  'tomorrow',
  'on 2026-02-30 at 9:00',
  'in 5 moons',
  'every day at 9 and 10',
  'x'.repeat(129),
])('%j is refused with examples', (text) => {
  expect(() => parseWords(text, BERLIN)).toThrow(/say it as in "every 15 minutes", "every day/);
});

test.each(['today at 9', 'on 2026-02-17 at 9:00', '2026-02-17T09:00:00Z'])('%j is over', (text) => {
  expect(() => parseWords(text, BERLIN)).toThrow(/is over: it means 2026-02-1/);
});

test.each(['0 9 * * *', '@daily'])('cron text %j is refused as such', (text) => {
  expect(() => parseWords(text, BERLIN)).toThrow(/not (supported|understood)/);
});
