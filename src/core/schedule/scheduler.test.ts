import { expect, test, vi } from 'vitest';
import {
  HOUR_MS,
  MINUTE_MS,
  OTHER_AGENT_ID,
  openScheduleRig,
  type ScheduleRig,
  START_MS,
} from '../../../test/schedule/schedule-rig.ts';
import { RuntimeError } from '../errors.ts';
import { DEFAULT_AGENT_ID, type RunId, type SessionId } from '../ids.ts';
import { NO_TOTALS, type RunEnd } from '../runs/run.ts';
import type { CreateJob } from './jobs.ts';
import { createScheduler, POLL_MS, type Scheduler, type SchedulerDeps } from './scheduler.ts';
import { settleFirings } from './settle-firings.ts';

const HOURLY: CreateJob = {
  id: 'job_report',
  agentId: DEFAULT_AGENT_ID,
  schedule: '@every 1h',
  message: 'Generate status report',
};

const FAILED: RunEnd = {
  status: 'failed',
  stopReason: 'failed',
  output: '',
  error: { code: 'provider_failed', message: 'the model did not answer' },
  totals: NO_TOTALS,
};

const CANCELLED: RunEnd = { ...FAILED, status: 'cancelled', stopReason: 'cancelled' };

/** Starts a scheduler and answers when it has looked for the first time and sleeps. */
async function startScheduler(
  rig: ScheduleRig,
  overrides: Partial<SchedulerDeps> = {},
): Promise<Scheduler> {
  const scheduler = createScheduler({ ...rig.deps, ...overrides });
  scheduler.start();
  await untilAsleep(rig);
  return scheduler;
}

const untilAsleep = (rig: ScheduleRig) =>
  vi.waitFor(() => expect(rig.clock.pendingTimers).toBe(1), { timeout: 10_000, interval: 1 });

/** Moves the clock in steps no longer than a sleep, as real time would. */
async function pass(rig: ScheduleRig, ms: number, stepMs = POLL_MS): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await untilAsleep(rig);
    rig.clock.advance(Math.min(stepMs, ms - passed));
  }
  await untilAsleep(rig);
}

async function firedSlots(rig: ScheduleRig, id = 'job_report'): Promise<string[]> {
  const firings = await rig.firings(id);
  return firings.map((firing) =>
    firing.outcome === 'fired' ? new Date(firing.slotMs).toISOString() : firing.reason,
  );
}

async function lastRun(rig: ScheduleRig, id = 'job_report'): Promise<RunId> {
  const last = (await rig.firings(id)).at(-1);
  if (last?.outcome !== 'fired') throw new Error('the last slot was not fired');
  return last.runId;
}

test('fires each slot on time and leaves nothing behind when it is stopped', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, schedule: '@every 7s' });
  const scheduler = await startScheduler(rig);

  await pass(rig, 7_000);
  const first = await firedSlots(rig);
  await rig.endRun(await lastRun(rig));
  await pass(rig, 7_000);
  await scheduler.stop();

  expect(first).toEqual(['2026-02-15T00:00:07.000Z']);
  expect(await firedSlots(rig)).toEqual(['2026-02-15T00:00:07.000Z', '2026-02-15T00:00:14.000Z']);
  expect(rig.clock.pendingTimers).toBe(0);
});

test('an interval shorter than a poll misses none of its slots', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, schedule: '@every 2s' });
  const scheduler = await startScheduler(rig);

  for (const _ of [1, 2, 3]) {
    await pass(rig, 2_000, 500);
    await rig.endRun(await lastRun(rig));
  }
  await scheduler.stop();

  expect(await firedSlots(rig)).toEqual([
    '2026-02-15T00:00:02.000Z',
    '2026-02-15T00:00:04.000Z',
    '2026-02-15T00:00:06.000Z',
  ]);
});

test('a wake-up makes it look at once', async () => {
  const rig = await openScheduleRig();
  const scheduler = await startScheduler(rig);
  await rig.jobs.create({ ...HOURLY, schedule: '@every 2s' });
  scheduler.wake();
  await vi.waitFor(() => expect(rig.clock.pendingTimers).toBe(1));

  await expect
    .poll(async () => {
      rig.clock.advance(rig.clock.nowMs() < START_MS + 2_000 ? 500 : 0);
      return firedSlots(rig);
    })
    .toEqual(['2026-02-15T00:00:02.000Z']);

  await scheduler.stop();
});

test('sees what another process has changed within a poll', async () => {
  const rig = await openScheduleRig();
  const scheduler = await startScheduler(rig);
  const beside = await rig.openBeside();
  await beside.jobs.create({ ...HOURLY, schedule: '@every 1s' });

  await pass(rig, POLL_MS);

  expect(await firedSlots(rig)).toEqual(['late', '2026-02-15T00:00:05.000Z']);
  await scheduler.stop();
});

test('does not fire while it is disabled, and goes on when it is enabled', async () => {
  const rig = await openScheduleRig();
  rig.settings.isEnabled = false;
  await rig.jobs.create({ ...HOURLY, schedule: '@every 5s' });
  const scheduler = await startScheduler(rig);

  await pass(rig, 20_000);
  const disabled = await firedSlots(rig);
  rig.settings.isEnabled = true;
  await pass(rig, 5_000);
  await scheduler.stop();

  expect(disabled).toEqual([]);
  expect(await firedSlots(rig)).toEqual(['late', '2026-02-15T00:00:25.000Z']);
});

test('a fault of the store is logged and does not end it', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, schedule: '@every 5s' });
  const logged: unknown[] = [];
  let faults = 2;
  const scheduler = await startScheduler(rig, {
    store: {
      ...rig.deps.store,
      listDue: (limit) => {
        faults -= 1;
        if (faults < 0) return rig.deps.store.listDue(limit);
        return Promise.reject(new RuntimeError('storage_unavailable', 'disk is full'));
      },
    },
    logger: { ...rig.deps.logger, error: (fields, text) => logged.push([fields, text]) },
  });

  await pass(rig, 10_000, 250);
  await scheduler.stop();

  const fault = [{ code: 'storage_unavailable' }, 'scheduler could not go on'];
  expect(logged).toEqual([fault, fault]);
  expect((await firedSlots(rig))[0]).toBe('2026-02-15T00:00:05.000Z');
});

async function fireOnce(rig: ScheduleRig, job: CreateJob, end?: RunEnd): Promise<RunId> {
  await rig.jobs.create(job);
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  const runId = await lastRun(rig, job.id);
  await rig.endRun(runId, end);
  return runId;
}

const CHAT = {
  channel: 'http',
  userId: 'u',
  roomId: 'r',
  agentId: DEFAULT_AGENT_ID,
};

test.each([
  [undefined, { content: 'Scheduled job job_report:\ndone', status: undefined }],
  [
    FAILED,
    { content: 'Scheduled job job_report failed: the model did not answer', status: 'failed' },
  ],
  [CANCELLED, { content: 'Scheduled job job_report was cancelled.', status: 'cancelled' }],
])('tells a session once what came of a run', async (end, said) => {
  const rig = await openScheduleRig();
  const sessionId = 'session_chat' as SessionId;
  await rig.storage.sessions.open(CHAT, sessionId);
  const notify = { channel: 'session', target: sessionId };
  await fireOnce(rig, { ...HOURLY, notify }, end);
  const beside = await rig.openBeside();

  await Promise.all([settleFirings(rig.deps), settleFirings(beside.deps)]);
  await settleFirings(rig.deps);

  expect(await rig.storage.sessions.readMessages(sessionId, { limit: 10 })).toEqual([
    {
      exchange: 1,
      position: 0,
      role: 'assistant',
      toolName: undefined,
      toolCallId: undefined,
      runId: undefined,
      atMs: START_MS + HOUR_MS,
      ...said,
    },
  ]);
});

test('tells an agent by mail from the agent of the job', async () => {
  const rig = await openScheduleRig();
  const notify = { channel: 'agent', target: OTHER_AGENT_ID };
  const runId = await fireOnce(rig, { ...HOURLY, notify });

  await settleFirings(rig.deps);
  await settleFirings(rig.deps);

  expect(await rig.storage.mail.list({ agentId: OTHER_AGENT_ID, limit: 10 })).toEqual([
    {
      id: expect.stringMatching(/^mail_/),
      owner: 'operator',
      from: DEFAULT_AGENT_ID,
      to: OTHER_AGENT_ID,
      subject: 'job job_report completed',
      taskId: 'job_report',
      body: 'Scheduled job job_report:\ndone',
      runId,
      sentAtMs: START_MS + HOUR_MS,
      deliveredAtMs: undefined,
    },
  ]);
});

test('says nothing twice to the session the run itself spoke in', async () => {
  const rig = await openScheduleRig();
  const place = { channel: 'main', userId: '', roomId: '', agentId: DEFAULT_AGENT_ID };
  const { session } = await rig.storage.sessions.open(place, 'session_main' as SessionId);
  const notify = { channel: 'session', target: session.id };
  await fireOnce(rig, { ...HOURLY, mode: 'main_like', notify });

  await settleFirings(rig.deps);

  const messages = await rig.storage.sessions.readMessages(session.id, { limit: 10 });
  expect(messages.map(({ role }) => role)).toEqual(['user']);
  expect(await rig.storage.jobs.listUnsettled(10)).toEqual([]);
});

test('bounds what it tells', async () => {
  const rig = await openScheduleRig();
  const notify = { channel: 'agent', target: OTHER_AGENT_ID };
  const output = '\u{1f980}'.repeat(10_000);
  await fireOnce(
    rig,
    { ...HOURLY, notify },
    { status: 'completed', stopReason: 'completed', output, totals: NO_TOTALS },
  );

  await settleFirings(rig.deps);

  const [mail] = await rig.storage.mail.list({ agentId: OTHER_AGENT_ID, limit: 1 });
  const points = Array.from(mail?.body ?? '');
  expect(points).toHaveLength(4_000);
  expect(points.slice(-2)).toEqual(['\u{1f980}', '…']);
});

test('notices are told by the loop soon after the run has ended', async () => {
  const rig = await openScheduleRig();
  const notify = { channel: 'agent', target: OTHER_AGENT_ID };
  await rig.jobs.create({ ...HOURLY, schedule: '@every 1m', notify });
  const scheduler = await startScheduler(rig);
  await pass(rig, MINUTE_MS);
  await rig.endRun(await lastRun(rig));

  await pass(rig, POLL_MS);
  await scheduler.stop();

  const inbox = await rig.storage.mail.list({ agentId: OTHER_AGENT_ID, limit: 10 });
  expect(inbox.map(({ subject }) => subject)).toEqual(['job job_report completed']);
});

test('what can not be told holds up neither the other notices nor the jobs', async () => {
  const rig = await openScheduleRig();
  const notify = { channel: 'agent', target: OTHER_AGENT_ID };
  for (const id of ['job_a', 'job_b', 'job_c']) await rig.jobs.create({ ...HOURLY, id, notify });
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  for (const id of ['job_a', 'job_b', 'job_c']) await rig.endRun(await lastRun(rig, id));
  const logged: unknown[] = [];

  const hasMore = await settleFirings({
    ...rig.deps,
    store: {
      ...rig.storage.jobs,
      settle: (firing, notice) =>
        firing.jobId === 'job_a'
          ? Promise.reject(new RuntimeError('conflict', 'no such place'))
          : rig.storage.jobs.settle(firing, notice),
    },
    logger: { ...rig.deps.logger, error: (fields, text) => logged.push([fields, text]) },
  });

  const inbox = await rig.storage.mail.list({ agentId: OTHER_AGENT_ID, limit: 10 });
  expect(hasMore).toBe(false);
  expect(inbox.map(({ taskId }) => taskId).sort()).toEqual(['job_b', 'job_c']);
  expect(logged).toEqual([
    [{ code: 'conflict', count: 1 }, 'could not tell what came of fired jobs'],
  ]);
});
