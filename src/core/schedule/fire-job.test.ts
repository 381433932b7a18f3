import { expect, test } from 'vitest';
import { HOUR_MS, openScheduleRig, START_MS } from '../../../test/schedule/schedule-rig.ts';
import { createIds } from '../create-ids.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { fireJob } from './fire-job.ts';

test('a secret that was learned after the job was made reaches nothing of its run', async () => {
  const rig = await openScheduleRig();
  const { job } = await rig.jobs.create({
    id: 'job_report',
    agentId: DEFAULT_AGENT_ID,
    schedule: '@every 1h',
    message: 'ask for correct-horse-battery',
    mode: 'main_like',
  });
  rig.clock.advance(HOUR_MS);
  const redactor = createRedactor({ secrets: () => ['correct-horse-battery'] });
  const seal = createSeal({ ids: createIds(rig.clock.nowMs), redactor });

  const fired = await fireJob({ ...rig.deps, redactor, seal }, job, {
    dueSlotMs: START_MS + HOUR_MS,
    slotMs: START_MS + HOUR_MS,
    nextSlotMs: START_MS + 2 * HOUR_MS,
    missed: undefined,
    maxOpenRuns: 1,
    maxQueued: 1,
    maxWaitingInSession: 1,
  });

  if (fired.outcome !== 'fired') throw new Error(`the slot was ${fired.outcome}`);
  const { events, sessions } = rig.storage;
  const { sessionId } = fired.run;
  if (sessionId === undefined) throw new Error('the run has no session');
  const [created] = await events.read(fired.run.id, { after: 0, limit: 1 });
  const [said] = await sessions.readMessages(sessionId, { limit: 1 });
  const texts = [fired.run.message, created?.payload['message'], said?.content];
  expect(texts).toEqual(Array(3).fill('ask for [REDACTED]'));
});
