import { expect, test } from 'vitest';
import { isTimeZone, toZonedIso } from './time-zone.ts';

test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])(
  '%s is a time zone',
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

test.each(['', '+01:00', 'Mars/Olympus', 'Europe/Berlin ', '../etc/passwd', 'x'.repeat(1_000)])(
  '%j is none',
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);

test.each([
  ['UTC', '2026-02-18T09:00:00Z'],
  ['Europe/Berlin', '2026-02-18T10:00:00+01:00'],
  ['Asia/Kathmandu', '2026-02-18T14:45:00+05:45'],
  ['America/St_Johns', '2026-02-18T05:30:00-03:30'],
  ['Pacific/Kiritimati', '2026-02-18T23:00:00+14:00'],
])('shows a moment in %s', (zone, text) => {
  expect(toZonedIso(Date.UTC(2026, 1, 18, 9), zone)).toBe(text);
});

test('follows summer time, and keeps milliseconds when there are some', () => {
  expect([
    toZonedIso(Date.UTC(2026, 2, 29, 0, 59, 59), 'Europe/Berlin'),
    toZonedIso(Date.UTC(2026, 2, 29, 1, 0, 0, 250), 'Europe/Berlin'),
  ]).toEqual(['2026-03-29T01:59:59+01:00', '2026-03-29T03:00:00.250+02:00']);
});
