import { expect, test } from 'vitest';
import {
  HOUR_MS,
  MINUTE_MS,
  openScheduleRig,
  START_MS,
} from '../../../test/schedule/schedule-rig.ts';
import { toIso } from '../clock.ts';
import { defined } from '../defined.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
import type { CreateJob } from './jobs.ts';

const JOB = { id: 'job_1', agentId: DEFAULT_AGENT_ID, message: 'stretch' };
const DAILY: CreateJob = {
  ...JOB,
  schedule: '@every 24h',
  firstRunAt: toIso(START_MS + 9 * HOUR_MS),
};

test('a schedule from now on is stored as the moment it means', async () => {
  const rig = await openScheduleRig();

  const { job } = await rig.jobs.create({ ...JOB, schedule: '@in 5m' });

  expect(job).toMatchObject({
    schedule: toIso(START_MS + 5 * MINUTE_MS),
    nextSlotMs: START_MS + 5 * MINUTE_MS,
  });
});

test('the same request later is answered with the first job, and another one is a conflict', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...JOB, schedule: '@in 5m' });
  rig.clock.advance(MINUTE_MS);

  const again = await rig.jobs.create({ ...JOB, schedule: '@in 5m' });

  expect(again).toMatchObject({
    replayed: true,
    job: { schedule: toIso(START_MS + 5 * MINUTE_MS) },
  });
  await expect(rig.jobs.create({ ...JOB, schedule: '@in 6m' })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('an interval begins where it is said, and keeps to that', async () => {
  const rig = await openScheduleRig();

  const { job } = await rig.jobs.create(DAILY);
  const upcoming = await rig.jobs.preview('job_1', 2);

  expect(job.schedule).toBe('@every 24h');
  expect(upcoming.map(({ slotMs }) => slotMs)).toEqual([
    START_MS + 9 * HOUR_MS,
    START_MS + 33 * HOUR_MS,
  ]);
});

test('the same time of a later day is the same job, another time is not', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(DAILY);

  const later = await rig.jobs.create({ ...DAILY, firstRunAt: toIso(START_MS + 33 * HOUR_MS) });

  expect(later.replayed).toBe(true);
  await expect(
    rig.jobs.create({ ...DAILY, firstRunAt: toIso(START_MS + 10 * HOUR_MS) }),
  ).rejects.toMatchObject({ code: 'conflict' });
});

test('a job can be moved to another time of the day', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(DAILY);

  const moved = await rig.jobs.update('job_1', { firstRunAt: toIso(START_MS + 7 * HOUR_MS) });
  const unmoved = await rig.jobs.update('job_1', { firstRunAt: toIso(START_MS + 7 * HOUR_MS) });

  expect(moved).toMatchObject({ schedule: '@every 24h', nextSlotMs: START_MS + 7 * HOUR_MS });
  expect(unmoved).toEqual(moved);
});

test.each([
  [{ firstRunAt: toIso(START_MS) }, /^first_run_at ".*" is in the past$/],
  [{ firstRunAt: 'tomorrow' }, /^first_run_at must be one moment in RFC 3339/],
  [{ firstRunAt: '1'.repeat(100_000) }, /^first_run_at must be one moment in RFC 3339/],
  [
    { schedule: '@in 5m', firstRunAt: toIso(START_MS + HOUR_MS) },
    /^first_run_at belongs to a schedule of the form @every$/,
  ],
  [{ schedule: '@in soon', firstRunAt: undefined }, /^"soon" is not a duration/],
  [{ schedule: '@in', firstRunAt: undefined }, /^schedule "@in" is not supported/],
])('refuses %j', async (bad, message) => {
  const { jobs } = await openScheduleRig();
  const { firstRunAt, ...rest } = { ...DAILY, ...bad };

  const created = jobs.create({ ...rest, ...defined({ firstRunAt }) });

  await expect(created).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(message),
  });
});
