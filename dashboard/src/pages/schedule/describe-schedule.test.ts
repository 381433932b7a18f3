import { expect, test } from 'vitest';
import { describeSchedule } from './describe-schedule.ts';

test.each([
  ['@every 1h', 'every hour'],
  ['@every 1h30m', 'every hour 30 minutes'],
  ['@every 15m', 'every 15 minutes'],
  ['@every 24h', 'every day'],
  ['@every 90s', 'every 90 seconds'],
  ['something newer', 'something newer'],
])('%s is said as %s', (schedule, words) => {
  expect(describeSchedule(schedule)).toBe(words);
});

test('one moment is told as once', () => {
  expect(describeSchedule('2026-02-18T09:00:00Z')).toMatch(/^once, .*2026/);
});
