import { expect, test } from 'vitest';
import { type JobOptions, parseJobOptions } from './job-arguments.ts';

const NOW_MS = Date.parse('2026-11-16T08:30:00Z');
const NOTHING: JobOptions = {
  every: undefined,
  in: undefined,
  at: undefined,
  daily: false,
  schedule: undefined,
  message: undefined,
  agent: undefined,
  mode: undefined,
  notify: undefined,
  timezone: undefined,
  'catch-up': undefined,
};

const parse = (options: Partial<JobOptions>) =>
  parseJobOptions({ ...NOTHING, ...options }, { command: 'schedule add', nowMs: NOW_MS });

test.each<[Partial<JobOptions>, object]>([
  [{ every: '1h30m' }, { schedule: '@every 1h30m' }],
  [{ in: '5m' }, { schedule: '@in 5m' }],
  [{ at: '2090-01-01T00:00:00Z' }, { schedule: '2090-01-01T00:00:00Z' }],
  [
    { at: '9:30', timezone: 'Europe/Berlin' },
    { schedule: '2026-11-17T09:30:00+01:00', timezone: 'Europe/Berlin' },
  ],
  [
    { at: '10:00', timezone: 'Europe/Berlin', daily: true },
    {
      schedule: '@every 24h',
      first_run_at: '2026-11-16T10:00:00+01:00',
      timezone: 'Europe/Berlin',
    },
  ],
  [{}, {}],
])('%j means %j', (options, expected) => {
  expect(parse(options)).toEqual(expected);
});

test('a time of day without a zone is meant in the zone of this machine, and says so', () => {
  const { timezone } = parse({ at: '09:00' });

  expect(timezone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test.each<[Partial<JobOptions>, RegExp]>([
  [{ in: '5m', every: '1h' }, /^only one of --every, --in, --at and --schedule can be given$/],
  [{ daily: true }, /^option --daily needs --at with a time of day$/],
  [{ daily: true, every: '1h' }, /^option --daily needs --at with a time of day$/],
  [{ daily: true, at: '2090-01-01T00:00:00Z' }, /^option --daily needs --at with a time of day$/],
  [{ in: 'soon' }, /^"soon" is not a duration/],
  [{ at: '25:00' }, /^schedule "25:00" is not supported/],
  [{ at: '09:00', timezone: 'Mars/Olympus' }, /^timezone "Mars\/Olympus" is not known/],
  [{ schedule: '0 9 * * *' }, /is a cron expression, which is not supported/],
])('refuses %j', (options, message) => {
  expect(() => parse(options)).toThrow(message);
});
