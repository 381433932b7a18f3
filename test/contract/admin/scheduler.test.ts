import { expect, test } from 'vitest';
import type { JobId, RunId } from '../../../src/core/ids.ts';
import { type AdminServer, AGENT, openAdminServer, START, seal } from './test-admin-server.ts';

const HOUR_MS = 3_600_000;

/** As contract 1 shows it. */
const GIVEN = {
  job_id: 'job_daily_report',
  agent_id: 'agent_default',
  schedule: '@every 1h',
  message: 'Generate status report',
  mode: 'isolated',
  notify: { channel: 'none', target: '' },
  enabled: true,
  timezone: 'UTC',
  created_at: '2026-02-15T00:00:00Z',
  updated_at: '2026-02-15T00:00:00Z',
};

const JOB = {
  ...GIVEN,
  catch_up: 'none',
  next_run_at: '2026-02-15T01:00:00.000Z',
  last_run: null,
  created_at: START,
  updated_at: START,
};

const JOBS = '/api/admin/scheduler/jobs';
const ONE = `${JOBS}/job_daily_report`;
const create = (server: AdminServer, fields: object = {}) =>
  server.post(JOBS, { ...GIVEN, ...fields });

test('creates the job of the contract, and shows it', async () => {
  const server = await openAdminServer();

  const created = await create(server);
  const read = await server.call(ONE);
  const listed = await server.call(JOBS);

  expect([created.status, created.headers.location, created.body]).toEqual([201, ONE, JOB]);
  expect([read.status, read.body]).toEqual([200, JOB]);
  expect([listed.status, listed.body]).toEqual([200, { jobs: [JOB], next_cursor: null }]);
});

test('answers the same job again with 200, and another one under its id with 409', async () => {
  const server = await openAdminServer();
  await create(server);

  const again = await create(server);
  const other = await create(server, { message: 'Something else' });

  expect([again.status, again.body]).toEqual([200, JOB]);
  expect([other.status, other.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message: 'job job_daily_report exists already and is another one',
      },
    },
  ]);
});

test('refuses one job more than the configuration allows', async () => {
  const server = await openAdminServer();
  for (const id of ['job_1', 'job_2', 'job_3']) await create(server, { job_id: id });

  const answer = await create(server, { job_id: 'job_4' });

  expect([answer.status, answer.body]).toEqual([
    429,
    { error: { code: 'rate.limited', message: 'there are 3 jobs already; remove one first' } },
  ]);
});

test('lists jobs by id, of one agent or all, in pages', async () => {
  const server = await openAdminServer();
  await create(server, { job_id: 'job_b' });
  await create(server, { job_id: 'job_a' });

  const first = await server.call(`${JOBS}?limit=1&agent_id=agent_default`);
  const { jobs, next_cursor: cursor } = first.body as {
    jobs: { job_id: string }[];
    next_cursor: string;
  };
  const second = await server.call(`${JOBS}?limit=1&agent_id=agent_default&cursor=${cursor}`);
  const others = await server.call(`${JOBS}?agent_id=agent_other`);

  expect(jobs).toEqual([{ ...JOB, job_id: 'job_a' }]);
  expect(second.body).toEqual({ jobs: [{ ...JOB, job_id: 'job_b' }], next_cursor: null });
  expect(others.body).toEqual({ jobs: [], next_cursor: null });
});

test('a patch changes what it names, a put resets what it leaves out', async () => {
  const server = await openAdminServer();
  await create(server);
  server.clock.advance(1_000);

  const body = { timezone: 'Europe/Berlin', catch_up: 'once' };
  const patched = await server.call(ONE, { method: 'PATCH', body });
  const { notify: _notify, timezone: _timezone, ...required } = GIVEN;
  const put = await server.call(ONE, {
    method: 'PUT',
    body: { ...required, schedule: '@every 2h' },
  });

  const updated_at = '2026-02-15T00:00:01.000Z';
  expect([patched.status, patched.body]).toEqual([200, { ...JOB, ...body, updated_at }]);
  expect([put.status, put.body]).toEqual([
    200,
    { ...JOB, schedule: '@every 2h', next_run_at: '2026-02-15T02:00:01.000Z', updated_at },
  ]);
});

test('what was read can be put back', async () => {
  const server = await openAdminServer();
  await create(server);

  const read = await server.call(ONE);
  const put = await server.call(ONE, { method: 'PUT', body: read.body });

  expect([put.status, put.body]).toEqual([200, JOB]);
});

test('a put refuses the id of another job', async () => {
  const server = await openAdminServer();
  await create(server);

  const put = await server.call(ONE, { method: 'PUT', body: { ...GIVEN, job_id: 'job_other' } });

  expect([put.status, put.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message: 'job_id of the body and of the path differ' } },
  ]);
});

test('removes a job', async () => {
  const server = await openAdminServer();
  await create(server);

  const removed = await server.call(ONE, { method: 'DELETE' });
  const read = await server.call(ONE);

  expect([removed.status, removed.body]).toEqual([200, { ok: true, removed: 'job_daily_report' }]);
  expect([read.status, read.body]).toEqual([
    404,
    { error: { code: 'job.not_found', message: 'job job_daily_report does not exist' } },
  ]);
});

test('pauses and resumes a job', async () => {
  const server = await openAdminServer();
  await create(server);
  const control = (action: string) =>
    server.post('/api/admin/scheduler/control', { action, job_id: 'job_daily_report' });

  const paused = await control('pause');
  server.clock.advance(90 * 60_000);
  const resumed = await control('resume');

  expect([paused.status, paused.body]).toEqual([
    200,
    { ok: true, paused: false, job: { ...JOB, enabled: false, next_run_at: null } },
  ]);
  expect([resumed.status, resumed.body]).toEqual([
    200,
    {
      ok: true,
      paused: false,
      job: {
        ...JOB,
        next_run_at: '2026-02-15T02:00:00.000Z',
        updated_at: '2026-02-15T01:30:00.000Z',
      },
    },
  ]);
});

test('pauses and resumes all firing', async () => {
  const server = await openAdminServer();
  await create(server);
  const control = (action: string) => server.post('/api/admin/scheduler/control', { action });

  const paused = await control('pause');
  const held = await server.call('/api/admin/scheduler');
  const resumed = await control('resume');

  expect([paused.status, paused.body]).toEqual([200, { ok: true, paused: true }]);
  expect([held.status, held.body]).toEqual([
    200,
    {
      enabled: true,
      paused: true,
      jobs: 1,
      next: { job_id: 'job_daily_report', at: '2026-02-15T01:00:00.000Z' },
    },
  ]);
  expect([resumed.status, resumed.body]).toEqual([200, { ok: true, paused: false }]);
});

test('previews the next times in the zone of the job', async () => {
  const server = await openAdminServer();
  await create(server, { timezone: 'Europe/Berlin' });

  const answer = await server.call(`${ONE}/preview?count=2`);

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      job_id: 'job_daily_report',
      timezone: 'Europe/Berlin',
      upcoming: [
        { at: '2026-02-15T01:00:00.000Z', local: '2026-02-15T02:00:00+01:00' },
        { at: '2026-02-15T02:00:00.000Z', local: '2026-02-15T03:00:00+01:00' },
      ],
    },
  ]);
});

/** The first slot fired, the second missed. */
async function passTwoSlots(server: AdminServer): Promise<void> {
  const jobId = GIVEN.job_id as JobId;
  const firstMs = Date.parse(START) + HOUR_MS;
  server.clock.advance(HOUR_MS);
  const fired = await server.storage.jobs.fire({
    jobId,
    revision: (await server.storage.jobs.find(jobId))?.revision ?? 0,
    dueSlotMs: firstMs,
    nextSlotMs: firstMs + HOUR_MS,
    slotMs: firstMs,
    missed: undefined,
    run: { id: 'run_1' as RunId, agentId: AGENT, source: 'scheduler', message: 'report' },
    drafts: [seal({ type: 'run.created', payload: {} })],
    options: { maxQueued: 10 },
    maxOpenRuns: 4,
  });
  server.clock.advance(2 * HOUR_MS);
  const slotMs = firstMs + HOUR_MS;
  const skipped = await server.storage.jobs.skip({
    jobId,
    revision: (await server.storage.jobs.find(jobId))?.revision ?? 0,
    dueSlotMs: slotMs,
    nextSlotMs: slotMs + HOUR_MS,
    missed: { reason: 'late', firstSlotMs: slotMs, lastSlotMs: slotMs, count: 1 },
  });
  if (fired.outcome !== 'fired' || !skipped) throw new Error('the slots are not ours');
}

test('shows what became of the slots of a job, newest first', async () => {
  const server = await openAdminServer();
  await create(server);
  await passTwoSlots(server);

  const all = await server.call(`${ONE}/history`);
  const first = await server.call(`${ONE}/history?limit=1`);
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  const second = await server.call(`${ONE}/history?limit=1&cursor=${cursor}`);
  const job = await server.call(ONE);

  const fired = {
    outcome: 'fired',
    slot_at: '2026-02-15T01:00:00.000Z',
    at: '2026-02-15T01:00:00.000Z',
    run_id: 'run_1',
    run_status: 'queued',
  };
  const missed = {
    outcome: 'missed',
    reason: 'late',
    first_slot_at: '2026-02-15T02:00:00.000Z',
    last_slot_at: '2026-02-15T02:00:00.000Z',
    count: 1,
    at: '2026-02-15T03:00:00.000Z',
  };
  const job_id = 'job_daily_report';
  expect([all.status, all.body]).toEqual([
    200,
    { job_id, firings: [missed, fired], next_cursor: null },
  ]);
  expect(first.body).toEqual({ job_id, firings: [missed], next_cursor: cursor });
  expect(second.body).toEqual({ job_id, firings: [fired], next_cursor: null });
  expect(job.body).toMatchObject({ last_run: fired, next_run_at: '2026-02-15T03:00:00.000Z' });
});

test.each<[method: string, path: string, body?: unknown]>([
  ['GET', ''],
  ['GET', '/history'],
  ['GET', '/preview'],
  ['DELETE', ''],
  ['PATCH', '', { message: 'x' }],
  ['PUT', '', { ...GIVEN, job_id: undefined }],
])(
  'answers %s %s of an unknown job with 404, and of an impossible id with 400',
  async (method, path, body) => {
    const server = await openAdminServer();
    const options = { method, ...(body === undefined ? {} : { body }) };

    const unknown = await server.call(`${JOBS}/job_none${path}`, options);
    const impossible = await server.call(`${JOBS}/..%2Fx${path}`, options);

    expect([unknown.status, unknown.body]).toEqual([
      404,
      { error: { code: 'job.not_found', message: 'job job_none does not exist' } },
    ]);
    expect([impossible.status, impossible.body]).toEqual([
      400,
      {
        error: {
          code: 'invalid.request',
          message: 'job_id must be 1 to 64 letters, digits, _ or -',
        },
      },
    ]);
  },
);

test.each<[field: string, value: unknown, message: string | RegExp]>([
  ['job_id', undefined, 'job_id is required'],
  ['agent_id', undefined, 'agent_id is required'],
  ['schedule', undefined, 'schedule is required'],
  ['message', undefined, 'message is required'],
  ['mode', undefined, 'mode is required'],
  ['enabled', undefined, 'enabled is required'],
  ['mode', 'shared', 'mode must be one of isolated, main_like'],
  ['enabled', 'yes', 'enabled must be true or false'],
  ['message', '  ', 'message must not be empty'],
  ['schedule', '0 9 * * *', /cron/],
  ['schedule', '@every 0s', /shorter than 1s/],
  ['schedule', '@every -1h', /shorter than 1s/],
  ['schedule', '@every 500ms', /shorter than 1s/],
  ['schedule', '2020-01-01T00:00:00Z', /past/],
  ['timezone', 'Mars/Olympus', /timezone "Mars\/Olympus" is not known/],
  ['notify', { channel: 'pigeon' }, 'notify.channel must be one of none, session, agent'],
  ['cron', '* * * * *', 'unknown field: cron'],
])('refuses a job with %s %j', async (field, value, message) => {
  const server = await openAdminServer();

  const answer = await create(server, { [field]: value });

  expect([answer.status, answer.body]).toEqual([
    400,
    {
      error: {
        code: 'invalid.request',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    },
  ]);
  expect((await server.call(JOBS)).body).toEqual({ jobs: [], next_cursor: null });
});

test('refuses a job for an agent that is not there', async () => {
  const server = await openAdminServer();

  const answer = await create(server, { agent_id: 'nobody' });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code: 'agent.not_found', message: 'agent nobody does not exist' } },
  ]);
});

test.each<[path: string, message: string]>([
  ['?cursor=abc', 'cursor is not one that a list answered with'],
  ['?limit=201', 'limit must be at most 200'],
  ['/job_daily_report/history?cursor=abc', 'cursor is not one that a list answered with'],
  ['/job_daily_report/preview?count=0', 'count must be at least 1'],
  ['/job_daily_report/preview?count=101', 'count must be at most 100'],
])('refuses the query %s', async (path, message) => {
  const server = await openAdminServer();
  await create(server);

  const answer = await server.call(`${JOBS}${path}`);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});

test.each<[body: unknown, message: string]>([
  [{}, 'action is required'],
  [{ action: 'stop' }, 'action must be one of pause, resume'],
  [{ action: 'pause', job_id: 'a/b' }, 'job_id must be 1 to 64 letters, digits, _ or -'],
])('refuses the control %j', async (body, message) => {
  const server = await openAdminServer();

  const answer = await server.post('/api/admin/scheduler/control', body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
