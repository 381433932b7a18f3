import { expect, test } from 'vitest';
import { nextLocalTime, parseTimeOfDay } from './next-local-time.ts';
import { toZonedIso } from './time-zone.ts';

test.each([
  // The day before, the day of and the day after clocks change.
  ['09:00', 'UTC', '2026-11-16T08:59:59Z', '2026-11-16T09:00:00Z'],
  ['09:00', 'UTC', '2026-11-16T09:00:00Z', '2026-11-17T09:00:00Z'],
  ['9:05', 'Europe/Berlin', '2026-11-16T08:00:00Z', '2026-11-16T09:05:00+01:00'],
  ['09:00', 'America/New_York', '2026-11-16T20:00:00Z', '2026-11-17T09:00:00-05:00'],
  ['09:00', 'Asia/Kolkata', '2026-11-16T00:00:00Z', '2026-11-16T09:00:00+05:30'],
  ['00:00', 'Pacific/Auckland', '2026-11-16T10:59:00Z', '2026-11-17T00:00:00+13:00'],
  // 02:00 to 03:00 is left out on 29 March, and comes twice on 25 October.
  ['02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T03:30:00+02:00'],
  ['09:00', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T09:00:00+02:00'],
  ['02:30', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T02:30:00+02:00'],
  ['09:00', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T09:00:00+01:00'],
  ['02:30', 'America/New_York', '2026-03-07T20:00:00Z', '2026-03-08T03:30:00-04:00'],
])('%s in %s after %s is %s', (time, zone, now, expected) => {
  const parsed = parseTimeOfDay(time) ?? { hour: -1, minute: -1 };

  expect(toZonedIso(nextLocalTime(parsed, zone, Date.parse(now)), zone)).toBe(expected);
});

test.each(['24:00', '09:60', '9', '09:00:00', 'nine', '', '-1:00', '09:00Z'])(
  '%j is no time of day',
  (text) => {
    expect(parseTimeOfDay(text)).toBeUndefined();
  },
);
