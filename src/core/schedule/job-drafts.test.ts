import { expect, test } from 'vitest';
import {
  HOUR_MS,
  MINUTE_MS,
  openScheduleRig,
  START_MS,
} from '../../../test/schedule/schedule-rig.ts';
import { createIds } from '../create-ids.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { MAX_JOB_MESSAGE_CHARS } from './job-fields.ts';
import { type CreateJob, createJobs } from './jobs.ts';

const HOURLY: CreateJob = {
  id: 'job_report',
  agentId: DEFAULT_AGENT_ID,
  schedule: '@every 1h',
  message: 'Generate status report',
};

test('a message that grew when its secrets were struck out is no reason to refuse other changes', async () => {
  const { jobs } = await openScheduleRig();
  const message = `${'x '.repeat(MAX_JOB_MESSAGE_CHARS)}password=hunter22`.slice(
    -MAX_JOB_MESSAGE_CHARS,
  );
  const { job } = await jobs.create({ ...HOURLY, message });

  const paused = await jobs.pause('job_report');

  expect(job.message.length).toBeGreaterThan(MAX_JOB_MESSAGE_CHARS);
  expect(paused).toMatchObject({ isEnabled: false, message: job.message });
});

test('the same job again is the same one, also when a secret of its message was learned meanwhile', async () => {
  const rig = await openScheduleRig();
  const secrets: string[] = [];
  const jobs = createJobs({
    ...rig.deps,
    ...rig.storage,
    store: rig.storage.jobs,
    ids: createIds(rig.clock.nowMs),
    redactor: createRedactor({ secrets: () => secrets }),
    maxJobs: () => 10,
    maxJobsPerPrincipal: () => 10,
  });
  const wanted = { ...HOURLY, message: 'ask for correct-horse-battery' };
  await jobs.create(wanted);
  secrets.push('correct-horse-battery');

  const again = await jobs.create(wanted);

  expect(again.replayed).toBe(true);
});

test('a new schedule given while the last slot fires leaves the job enabled', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, schedule: '2026-02-15T01:00:00Z' });
  rig.clock.advance(HOUR_MS);
  const jobs = createJobs({
    ...rig.deps,
    ...rig.storage,
    ids: createIds(rig.clock.nowMs),
    store: {
      ...rig.storage.jobs,
      update: async (...change) => {
        await rig.dueJobs.tick();
        return rig.storage.jobs.update(...change);
      },
    },
    maxJobs: () => 10,
    maxJobsPerPrincipal: () => 10,
  });

  const changed = await jobs.update('job_report', { schedule: '@every 1m' });

  expect(changed).toMatchObject({
    isEnabled: true,
    nextSlotMs: START_MS + HOUR_MS + MINUTE_MS,
  });
});
