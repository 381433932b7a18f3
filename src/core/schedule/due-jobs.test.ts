import { expect, test } from 'vitest';
import {
  HOUR_MS,
  MINUTE_MS,
  openScheduleRig,
  type ScheduleRig,
  SECOND_MS,
  START_MS,
} from '../../../test/schedule/schedule-rig.ts';
import { RuntimeError } from '../errors.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { createDueJobs } from './due-jobs.ts';
import type { Firing, MissReason } from './job.ts';
import type { CreateJob } from './jobs.ts';

const HOURLY: CreateJob = {
  id: 'job_report',
  agentId: DEFAULT_AGENT_ID,
  schedule: '@every 1h',
  message: 'Generate status report',
};

const hour = (count: number) => START_MS + count * HOUR_MS;

/** The run of the only firing that has one at this slot. */
async function runOf(rig: ScheduleRig, slotMs: number, id = 'job_report'): Promise<RunId> {
  for (const firing of await rig.firings(id)) {
    if (firing.outcome === 'fired' && firing.slotMs === slotMs) return firing.runId;
  }
  throw new Error(`slot ${slotMs} was not fired`);
}

function missed(reason: MissReason, firstHour: number, lastHour = firstHour) {
  return {
    outcome: 'missed',
    reason,
    firstSlotMs: hour(firstHour),
    lastSlotMs: hour(lastHour),
    count: lastHour - firstHour + 1,
  };
}

const outline = (firings: readonly Firing[]) =>
  firings.map((firing) => {
    if (firing.outcome === 'fired') return { outcome: 'fired', slotMs: firing.slotMs };
    const { jobId: _, atMs: __, ...rest } = firing;
    return rest;
  });

test('fires a slot as a run that says where it comes from', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(HOUR_MS);

  const tick = await rig.dueJobs.tick();

  const runId = await runOf(rig, hour(1));
  const [created] = await rig.storage.events.read(runId, { after: 0, limit: 10 });
  expect(tick).toEqual({
    nowMs: hour(1),
    nextSlotMs: undefined,
    settledCount: 1,
    blockedCount: 0,
  });
  expect(created).toMatchObject({
    type: 'run.created',
    actor: 'system',
    payload: {
      source: 'scheduler',
      message: 'Generate status report',
      job_id: 'job_report',
      slot: '2026-02-15T01:00:00.000Z',
    },
  });
  expect(await rig.storage.runs.find(runId)).toMatchObject({
    agentId: DEFAULT_AGENT_ID,
    source: 'scheduler',
    status: 'queued',
    message: 'Generate status report',
    sessionId: undefined,
  });
  expect((await rig.jobs.get('job_report')).nextSlotMs).toBe(hour(2));
});

test('does nothing before the slot', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(HOUR_MS - 1);

  const tick = await rig.dueJobs.tick();

  expect(tick).toMatchObject({ nextSlotMs: hour(1), settledCount: 0 });
  expect(await rig.firings('job_report')).toEqual([]);
});

test('main_like runs share the main session of their agent', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, mode: 'main_like' });

  for (const count of [1, 2]) {
    rig.clock.advance(HOUR_MS);
    await rig.dueJobs.tick();
    await rig.endRun(await runOf(rig, hour(count)));
  }

  const { sessions } = await rig.storage.sessions.list({ includeClosed: true, limit: 10 });
  expect(sessions).toMatchObject([
    { channel: 'main', userId: '', roomId: '', agentId: DEFAULT_AGENT_ID, lastExchange: 2 },
  ]);
  const messages = await rig.storage.sessions.readMessages(sessions[0]!.id, { limit: 10 });
  expect(messages).toMatchObject([
    { exchange: 1, role: 'user', content: 'Generate status report' },
    { exchange: 2, role: 'user', content: 'Generate status report' },
  ]);
});

test('after an outage fires the newest slot and records the others as one missed stretch', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(50 * HOUR_MS + MINUTE_MS);

  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_report'))).toEqual([
    missed('late', 1, 49),
    { outcome: 'fired', slotMs: hour(50) },
  ]);
});

test('records a slot as overlapped while the run before it goes on', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(3 * HOUR_MS);
  await rig.dueJobs.tick();

  await rig.endRun(await runOf(rig, hour(1)));
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_report'))).toEqual([
    { outcome: 'fired', slotMs: hour(1) },
    missed('overlap', 2),
    missed('late', 3, 4),
    missed('overlap', 5),
    { outcome: 'fired', slotMs: hour(6) },
  ]);
});

test('tries again while other jobs take up the capacity, and fires in time', async () => {
  const rig = await openScheduleRig();
  rig.settings.maxConcurrentJobs = 1;
  await rig.jobs.create({ ...HOURLY, id: 'job_a' });
  await rig.jobs.create({ ...HOURLY, id: 'job_b' });
  rig.clock.advance(HOUR_MS);
  const full = await rig.dueJobs.tick();

  await rig.endRun(await runOf(rig, hour(1), 'job_a'));
  rig.clock.advance(MINUTE_MS);
  const free = await rig.dueJobs.tick();

  expect([full, free]).toMatchObject([
    { settledCount: 1, blockedCount: 1 },
    { settledCount: 1, blockedCount: 0 },
  ]);
  expect(outline(await rig.firings('job_b'))).toEqual([{ outcome: 'fired', slotMs: hour(1) }]);
});

test('records why a slot was missed when the capacity stayed taken beyond the grace', async () => {
  const rig = await openScheduleRig();
  rig.settings.maxConcurrentJobs = 1;
  await rig.jobs.create({ ...HOURLY, id: 'job_a' });
  await rig.jobs.create({ ...HOURLY, id: 'job_b' });
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(MINUTE_MS + 1);
  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_b'))).toEqual([missed('capacity', 1)]);
  expect((await rig.jobs.get('job_b')).nextSlotMs).toBe(hour(2));
});

test('records a slot as missed when the run queue stayed full', async () => {
  const rig = await openScheduleRig();
  rig.settings.maxQueued = 0;
  await rig.jobs.create(HOURLY);
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(MINUTE_MS + 1);
  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_report'))).toEqual([missed('queue_full', 1)]);
});

test('a full session holds up its own jobs and no others', async () => {
  const rig = await openScheduleRig();
  rig.settings.maxWaitingInSession = 1;
  // More than are tried at the same time: those at the end start when the refusal is known.
  const ids = Array.from({ length: 20 }, (_, index) => `job_${10 + index}`);
  for (const [index, id] of ids.entries()) {
    await rig.jobs.create({ ...HOURLY, id, mode: index < 2 ? 'main_like' : 'isolated' });
  }
  rig.clock.advance(HOUR_MS);
  const tick = await rig.dueJobs.tick();
  rig.clock.advance(MINUTE_MS + 1);
  await rig.dueJobs.tick();

  const histories = await Promise.all(ids.map(async (id) => outline(await rig.firings(id))));
  const fired = [{ outcome: 'fired', slotMs: hour(1) }];
  expect([tick.settledCount, tick.blockedCount]).toEqual([19, 1]);
  expect(histories.slice(0, 2)).toContainEqual([missed('capacity', 1)]);
  expect(histories.filter((history) => history[0]?.outcome === 'fired')).toEqual(
    Array(19).fill(fired),
  );
});

test('a pause of all jobs holds slots back, and they fire if it ends within their grace', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  await rig.jobs.pauseAll();
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(2 * MINUTE_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(58 * MINUTE_MS);
  await rig.dueJobs.tick();

  await rig.jobs.resumeAll();
  rig.clock.advance(SECOND_MS);
  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_report'))).toEqual([
    missed('disabled', 1),
    { outcome: 'fired', slotMs: hour(2) },
  ]);
});

test('a one-shot fires once and is disabled', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, schedule: '2026-02-15T02:00:00+01:00' });
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();

  await rig.endRun(await runOf(rig, hour(1)));
  rig.clock.advance(-HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(9 * HOUR_MS);
  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_report'))).toEqual([{ outcome: 'fired', slotMs: hour(1) }]);
  expect(await rig.jobs.get('job_report')).toMatchObject({
    isEnabled: false,
    nextSlotMs: undefined,
  });
});

test('a one-shot beyond its grace is missed and disabled, unless it catches up', async () => {
  const rig = await openScheduleRig();
  const once = { ...HOURLY, schedule: '2026-02-15T01:00:00Z' };
  await rig.jobs.create({ ...once, id: 'job_strict' });
  await rig.jobs.create({ ...once, id: 'job_patient', catchUp: 'once' });
  rig.clock.advance(9 * HOUR_MS);

  await rig.dueJobs.tick();

  expect(outline(await rig.firings('job_strict'))).toEqual([missed('late', 1)]);
  expect(outline(await rig.firings('job_patient'))).toEqual([
    { outcome: 'fired', slotMs: hour(1) },
  ]);
  expect([
    (await rig.jobs.get('job_strict')).isEnabled,
    (await rig.jobs.get('job_patient')).isEnabled,
  ]).toEqual([false, false]);
});

test('never fires a slot again after the clock was set back', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(2 * HOUR_MS);
  await rig.dueJobs.tick();
  await rig.endRun(await runOf(rig, hour(2)));
  rig.clock.advance(-80 * MINUTE_MS);

  for (let step = 0; step < 9; step += 1) {
    rig.clock.advance(20 * MINUTE_MS);
    await rig.dueJobs.tick();
  }

  expect(outline(await rig.firings('job_report'))).toEqual([
    missed('late', 1),
    { outcome: 'fired', slotMs: hour(2) },
    { outcome: 'fired', slotMs: hour(3) },
  ]);
});

test('a job that can not be fired leaves the others alone and is missed after its grace', async () => {
  const rig = await openScheduleRig();
  const broken = {
    open: () => Promise.reject(new RuntimeError('storage_unavailable', 'disk is full')),
  };
  const dueJobs = createDueJobs({ ...rig.deps, sessions: broken });
  await rig.jobs.create({ ...HOURLY, id: 'job_a', mode: 'main_like', catchUp: 'once' });
  await rig.jobs.create({ ...HOURLY, id: 'job_b' });
  rig.clock.advance(HOUR_MS);

  const first = await dueJobs.tick();
  rig.clock.advance(MINUTE_MS + 1);
  const second = await dueJobs.tick();

  expect([first, second]).toMatchObject([
    { settledCount: 1, blockedCount: 1 },
    { settledCount: 1, blockedCount: 0 },
  ]);
  expect(outline(await rig.firings('job_a'))).toEqual([missed('failed', 1)]);
  expect(outline(await rig.firings('job_b'))).toEqual([{ outcome: 'fired', slotMs: hour(1) }]);
});

test('hands a run to a free place of this process, and gives back a place it has no run for', async () => {
  const rig = await openScheduleRig();
  const started: string[] = [];
  let cancelled = 0;
  const slots = {
    reserve: () => ({
      claim: {
        owner: 'server:test',
        leaseMs: 30_000,
        started: rig.deps.seal({ type: 'run.started', payload: { owner: 'server:test' } }),
      },
      start: ({ run }: { run: { id: string; status: string } }) => {
        started.push(run.status);
      },
      cancel: () => {
        cancelled += 1;
      },
    }),
  };
  const dueJobs = createDueJobs({ ...rig.deps, slots });
  rig.settings.maxConcurrentJobs = 1;
  await rig.jobs.create({ ...HOURLY, id: 'job_a' });
  await rig.jobs.create({ ...HOURLY, id: 'job_b' });
  rig.clock.advance(HOUR_MS);

  await dueJobs.tick();

  expect(started).toEqual(['running']);
  expect(cancelled).toBe(2);
});
