import { expect, test } from 'vitest';
import {
  HOUR_MS,
  MINUTE_MS,
  OTHER_AGENT_ID,
  openScheduleRig,
  START_MS,
} from '../../../test/schedule/schedule-rig.ts';
import { AGENT_REFERENCE_RULE } from '../agents/resolve-agent.ts';
import { RuntimeError } from '../errors.ts';
import { DEFAULT_AGENT_ID, type SessionId } from '../ids.ts';
import { OPERATOR } from '../principal.ts';
import { MAX_JOB_MESSAGE_CHARS } from './job-fields.ts';
import type { CreateJob } from './jobs.ts';

const HOURLY: CreateJob = {
  id: 'job_daily_report',
  agentId: DEFAULT_AGENT_ID,
  schedule: '@every 1h',
  message: 'Generate status report',
};

const hour = (count: number) => START_MS + count * HOUR_MS;

async function refusalOf(work: Promise<unknown>): Promise<object> {
  try {
    await work;
  } catch (thrown) {
    if (!(thrown instanceof RuntimeError)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
  throw new Error('nothing was refused');
}

test('creates a job whose first slot is one interval away', async () => {
  const { jobs } = await openScheduleRig();

  const receipt = await jobs.create(HOURLY);

  expect(receipt).toEqual({
    replayed: false,
    job: {
      id: 'job_daily_report',
      agentId: 'agent_default',
      owner: 'operator',
      schedule: '@every 1h',
      message: 'Generate status report',
      mode: 'isolated',
      notify: { channel: 'none', target: '' },
      isEnabled: true,
      timezone: 'UTC',
      catchUp: 'none',
      anchorMs: START_MS,
      nextSlotMs: hour(1),
      revision: 1,
      createdAtMs: START_MS,
      updatedAtMs: START_MS,
    },
  });
  expect(await jobs.get('job_daily_report')).toEqual(receipt.job);
});

test('makes an id when none is given', async () => {
  const { jobs } = await openScheduleRig();
  const { id: _, ...unnamed } = HOURLY;

  const { job } = await jobs.create(unnamed);

  expect(job.id).toMatch(/^job_[0-9a-z]{26}$/);
});

test('takes secrets out of the message before it is stored', async () => {
  const { jobs } = await openScheduleRig();
  const message = 'log in with password=hunter2hunter2 and look';

  const { job } = await jobs.create({ ...HOURLY, message });

  expect(job.message).toBe('log in with password=[REDACTED] and look');
});

test('the same job again is answered with the first, another under its id is a conflict', async () => {
  const rig = await openScheduleRig();
  const once = { ...HOURLY, schedule: '2026-02-15T01:00:00Z' };
  const first = await rig.jobs.create(once);
  await rig.jobs.pause('job_daily_report');
  rig.clock.advance(2 * HOUR_MS);

  const again = await rig.jobs.create(once);
  const other = refusalOf(rig.jobs.create({ ...once, message: 'Something else' }));

  expect(again).toMatchObject({ replayed: true, job: { id: first.job.id, isEnabled: false } });
  expect(await other).toEqual({
    code: 'conflict',
    message: 'job job_daily_report exists already and is another one',
  });
});

test.each<[string, Partial<CreateJob>, string]>([
  ['job_id', { id: '../x' }, 'job_id must have 1 to 64 letters, digits, _ or -'],
  ['agent_id', { agentId: 'a/b' }, `agent_id ${AGENT_REFERENCE_RULE}`],
  ['message', { message: ' \n' }, 'message must not be empty'],
  [
    'message',
    { message: 'x'.repeat(MAX_JOB_MESSAGE_CHARS + 1) },
    'message must have at most 32768 characters',
  ],
  ['mode', { mode: 'shared' }, 'mode must be one of isolated, main_like'],
  ['catch_up', { catchUp: 'all' }, 'catch_up must be one of none, once'],
  [
    'timezone',
    { timezone: 'Mars/Olympus' },
    'timezone "Mars/Olympus" is not known: use an IANA name as Europe/Berlin',
  ],
  [
    'notify',
    { notify: { channel: 'email', target: 'x' } },
    'notify.channel must be one of none, session, agent',
  ],
  [
    'notify',
    { notify: { channel: 'session', target: '' } },
    'notify.target must name the session to tell',
  ],
  [
    'notify',
    { notify: { channel: 'none', target: 'x' } },
    'notify.target must be empty when notify.channel is none',
  ],
  [
    'schedule',
    { schedule: '2026-02-14T23:59:59Z' },
    'schedule "2026-02-14T23:59:59Z" is in the past',
  ],
  [
    'schedule',
    { schedule: '2026-02-15T00:00:00Z' },
    'schedule "2026-02-15T00:00:00Z" is in the past',
  ],
])('refuses a bad %s and stores nothing', async (field, bad, message) => {
  const { jobs } = await openScheduleRig();

  const created = jobs.create({ ...HOURLY, ...bad });

  await expect(created).rejects.toMatchObject({
    code: 'invalid_input',
    message,
    details: { field },
  });
  expect(await jobs.list({ limit: 10 })).toEqual({ jobs: [], next: undefined });
});

test('refuses cron text on create and update', async () => {
  const { jobs } = await openScheduleRig();
  await jobs.create(HOURLY);

  const refusals = [
    await refusalOf(jobs.create({ ...HOURLY, id: 'job_cron', schedule: '0 9 * * *' })),
    await refusalOf(jobs.update('job_daily_report', { schedule: '@daily' })),
  ];

  expect(refusals).toMatchObject([
    { message: expect.stringContaining('is a cron expression, which is not supported: use') },
    { message: expect.stringContaining('is a cron expression, which is not supported: use') },
  ]);
  expect((await jobs.get('job_daily_report')).schedule).toBe('@every 1h');
});

test('refuses an agent or a target that does not exist or is closed', async () => {
  const { jobs, storage } = await openScheduleRig();
  const place = { channel: 'http', userId: 'u', roomId: 'r', agentId: DEFAULT_AGENT_ID };
  await storage.sessions.open(place, 'session_open' as SessionId);
  await storage.sessions.create({ ...place, roomId: 'x' }, 'session_closed' as SessionId);
  await storage.sessions.close('session_closed' as SessionId);
  const notify = (channel: string, target: string) =>
    jobs.create({ ...HOURLY, notify: { channel, target } });

  const refusals = [
    await refusalOf(jobs.create({ ...HOURLY, agentId: 'nobody' })),
    await refusalOf(notify('agent', 'nobody')),
    await refusalOf(notify('session', 'session_none')),
    await refusalOf(notify('session', 'session_closed')),
  ];
  await notify('session', 'session_open');

  expect(refusals).toEqual([
    { code: 'not_found', message: 'agent nobody does not exist' },
    { code: 'not_found', message: 'agent nobody does not exist' },
    { code: 'not_found', message: 'session session_none does not exist' },
    { code: 'conflict', message: 'session session_closed is closed' },
  ]);
});

test('refuses one job too many', async () => {
  const { jobs, settings } = await openScheduleRig();
  settings.maxJobs = 1;
  await jobs.create(HOURLY);

  const refusal = await refusalOf(jobs.create({ ...HOURLY, id: 'job_second' }));

  expect(refusal).toEqual({
    code: 'limit_reached',
    message: 'there are 1 jobs already; remove one first',
  });
});

test('refuses a principal one job too many of its own, and nobody else', async () => {
  const { jobs, settings } = await openScheduleRig();
  settings.maxJobsPerPrincipal = 1;
  const create = (id: string, owner: string) => jobs.create({ ...HOURLY, id, owner });
  await create('job_a', 'user:7');

  const refusal = await refusalOf(create('job_b', 'user:7'));
  await create('job_c', 'user:8');
  await create('job_d', OPERATOR);
  await create('job_e', OPERATOR);

  expect(refusal).toEqual({
    code: 'limit_reached',
    message: 'user:7 has 1 jobs already; remove one first',
  });
});

test('a new schedule counts from now; everything else leaves the slots as they are', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(10 * MINUTE_MS);

  const renamed = await rig.jobs.update('job_daily_report', {
    message: 'Report',
    schedule: ' @every 1h ',
    agentId: OTHER_AGENT_ID,
  });
  const moved = await rig.jobs.update('job_daily_report', { schedule: '@every 90m' });
  const same = await rig.jobs.update('job_daily_report', { schedule: '@every 90m' });

  expect(renamed).toMatchObject({
    message: 'Report',
    agentId: OTHER_AGENT_ID,
    anchorMs: START_MS,
    nextSlotMs: hour(1),
    revision: 2,
  });
  expect(moved).toMatchObject({
    anchorMs: START_MS + 10 * MINUTE_MS,
    nextSlotMs: START_MS + 100 * MINUTE_MS,
    revision: 3,
  });
  expect(same).toEqual(moved);
});

test('slots that pass while a job is paused are dropped without a record', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  const paused = await rig.jobs.pause('job_daily_report');
  rig.clock.advance(5.5 * HOUR_MS);
  await rig.dueJobs.tick();

  const resumed = await rig.jobs.resume('job_daily_report');
  await rig.dueJobs.tick();

  expect(paused).toMatchObject({ isEnabled: false, nextSlotMs: hour(1) });
  expect(resumed).toMatchObject({ isEnabled: true, nextSlotMs: hour(6) });
  expect(await rig.firings('job_daily_report')).toEqual([]);
});

test('a job resumed after the clock was set back does not repeat a slot', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create(HOURLY);
  rig.clock.advance(2 * HOUR_MS);
  await rig.dueJobs.tick();
  await rig.jobs.pause('job_daily_report');
  rig.clock.advance(-HOUR_MS);

  const resumed = await rig.jobs.resume('job_daily_report');

  expect(resumed.nextSlotMs).toBe(hour(3));
});

test('a one-shot that is over can be resumed only with a new schedule', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, schedule: '2026-02-15T01:00:00Z' });
  rig.clock.advance(HOUR_MS);
  await rig.dueJobs.tick();
  rig.clock.advance(-HOUR_MS);

  const refusal = await refusalOf(rig.jobs.resume('job_daily_report'));
  const renewed = await rig.jobs.update('job_daily_report', {
    schedule: '2026-02-15T05:00:00Z',
    isEnabled: true,
  });

  expect(refusal).toEqual({
    code: 'invalid_input',
    message:
      'job job_daily_report was due once, at 2026-02-15T01:00:00Z, and that is over: give it a new schedule',
  });
  expect(renewed).toMatchObject({ isEnabled: true, nextSlotMs: hour(5) });
});

test('changes made at the same moment by two processes are both kept', async () => {
  const rig = await openScheduleRig();
  const beside = await rig.openBeside();
  await rig.jobs.create(HOURLY);

  await Promise.all([
    rig.jobs.update('job_daily_report', { message: 'Report' }),
    beside.jobs.update('job_daily_report', { timezone: 'Europe/Berlin' }),
    rig.jobs.pause('job_daily_report'),
  ]);

  expect(await rig.jobs.get('job_daily_report')).toMatchObject({
    message: 'Report',
    timezone: 'Europe/Berlin',
    isEnabled: false,
    revision: 4,
  });
});

test('previews the next times in UTC and in the zone of the job, across summer time', async () => {
  const rig = await openScheduleRig();
  rig.clock.advance(Date.UTC(2026, 2, 28, 23, 30) - START_MS);
  await rig.jobs.create({ ...HOURLY, timezone: 'Europe/Berlin' });

  const upcoming = await rig.jobs.preview('job_daily_report', 3);

  expect(upcoming).toEqual([
    {
      slotMs: Date.UTC(2026, 2, 29, 0, 30),
      utc: '2026-03-29T00:30:00.000Z',
      local: '2026-03-29T01:30:00+01:00',
    },
    {
      slotMs: Date.UTC(2026, 2, 29, 1, 30),
      utc: '2026-03-29T01:30:00.000Z',
      local: '2026-03-29T03:30:00+02:00',
    },
    {
      slotMs: Date.UTC(2026, 2, 29, 2, 30),
      utc: '2026-03-29T02:30:00.000Z',
      local: '2026-03-29T04:30:00+02:00',
    },
  ]);
});

test('previews one time of a one-shot, none of a paused job, and never one that has passed', async () => {
  const rig = await openScheduleRig();
  await rig.jobs.create({ ...HOURLY, id: 'job_once', schedule: '2026-02-15T05:00:00Z' });
  await rig.jobs.create({ ...HOURLY, id: 'job_paused', isEnabled: false });
  await rig.jobs.create(HOURLY);
  rig.clock.advance(3.5 * HOUR_MS);

  const slots = async (id: string) =>
    (await rig.jobs.preview(id, 2)).map((upcoming) => upcoming.slotMs);

  expect([
    await slots('job_once'),
    await slots('job_paused'),
    await slots('job_daily_report'),
  ]).toEqual([[hour(5)], [], [hour(4), hour(5)]]);
  await expect(rig.jobs.preview('job_once', 101)).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'count must be a whole number from 1 to 100',
  });
});

test('lists jobs by id, page by page and by agent', async () => {
  const { jobs } = await openScheduleRig();
  for (const id of ['job_c', 'job_a', 'job_b']) {
    await jobs.create({
      ...HOURLY,
      id,
      agentId: id === 'job_b' ? OTHER_AGENT_ID : DEFAULT_AGENT_ID,
    });
  }

  const first = await jobs.list({ limit: 2 });
  const rest = await jobs.list({ limit: 2, ...(first.next && { after: first.next }) });
  const others = await jobs.list({ limit: 2, agentId: OTHER_AGENT_ID });

  const ids = (page: typeof first) => page.jobs.map((job) => job.id);
  expect([ids(first), ids(rest), ids(others)]).toEqual([['job_a', 'job_b'], ['job_c'], ['job_b']]);
  await expect(jobs.list({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a removed job is gone with its history, and unknown ids are not found', async () => {
  const { jobs } = await openScheduleRig();
  await jobs.create(HOURLY);
  await jobs.remove('job_daily_report');
  const absent = { code: 'not_found', message: 'job job_daily_report does not exist' };

  expect([
    await refusalOf(jobs.get('job_daily_report')),
    await refusalOf(jobs.remove('job_daily_report')),
    await refusalOf(jobs.pause('job_daily_report')),
    await refusalOf(jobs.preview('job_daily_report', 1)),
    await refusalOf(jobs.history('job_daily_report', { limit: 1 })),
  ]).toEqual([absent, absent, absent, absent, absent]);
});
