import { expect, test } from 'vitest';
import { type AdminServer, openAdminServer } from './test-admin-server.ts';

const SCHEDULER = '/api/admin/scheduler';

async function addJob(server: AdminServer, id: string, schedule: string): Promise<void> {
  const job = { agent_id: 'agent_default', message: 'report', mode: 'isolated', enabled: true };
  const answer = await server.post(`${SCHEDULER}/jobs`, { job_id: id, schedule, ...job });
  expect(answer.status).toBe(201);
}

test('tells when all jobs are due in a range', async () => {
  const server = await openAdminServer();
  await addJob(server, 'hourly', '@every 1h');
  await addJob(server, 'once', '2026-02-15T00:30:00Z');
  await addJob(server, 'paused', '@every 1m');
  await server.post(`${SCHEDULER}/control`, { action: 'pause', job_id: 'paused' });

  const answer = await server.call(`${SCHEDULER}/upcoming?until=2026-02-15T06:00:00Z&per_job=2`);

  const job = { agent_id: 'agent_default', timezone: 'UTC' };
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      from: '2026-02-15T00:00:00.000Z',
      until: '2026-02-15T06:00:00.000Z',
      paused: false,
      jobs: [
        {
          ...job,
          job_id: 'once',
          schedule: '2026-02-15T00:30:00Z',
          count: 1,
          times: ['2026-02-15T00:30:00.000Z'],
        },
        {
          ...job,
          job_id: 'hourly',
          schedule: '@every 1h',
          count: 5,
          times: ['2026-02-15T01:00:00.000Z', '2026-02-15T02:00:00.000Z'],
        },
      ],
      truncated: false,
    },
  ]);
});

test('a range may begin later', async () => {
  const server = await openAdminServer();
  await addJob(server, 'hourly', '@every 1h');

  const range = 'from=2026-02-15T03:00:00Z&until=2026-02-15T05:00:00Z';
  const answer = await server.call(`${SCHEDULER}/upcoming?${range}`);

  expect(answer.body).toMatchObject({
    jobs: [{ count: 2, times: ['2026-02-15T03:00:00.000Z', '2026-02-15T04:00:00.000Z'] }],
  });
});

test.each<[query: string, message: string]>([
  ['upcoming?until=2026-02-14T00:00:00Z', 'until must be later than from, and to come'],
  ['upcoming?until=2026-06-01T00:00:00Z', 'a range has at most 92 days'],
  ['upcoming?per_job=101', 'per_job must be at most 100'],
  ['words', 'text is required'],
  ['words?text=every%20day%20at%209&timezone=Mars', 'timezone "Mars" is not known'],
  [
    'words?text=now%20and%20then',
    '"now and then" is not understood; say it as in "every 15 minutes"',
  ],
])('refuses %s', async (query, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`${SCHEDULER}/${query}`);

  const { error } = answer.body as { error: { message: string } };
  expect([answer.status, error.message]).toEqual([400, expect.stringContaining(message)]);
});

test('says what words mean, and jobs can be made of it', async () => {
  const server = await openAdminServer();

  const text = encodeURIComponent('every monday and thursday at 9am');
  const answer = await server.call(`${SCHEDULER}/words?text=${text}&timezone=Europe/Berlin`);

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      text: 'every monday and thursday at 9am',
      timezone: 'Europe/Berlin',
      schedules: [
        { schedule: '@every 168h', first_run_at: '2026-02-16T08:00:00.000Z' },
        { schedule: '@every 168h', first_run_at: '2026-02-19T08:00:00.000Z' },
      ],
      upcoming: [
        { at: '2026-02-16T08:00:00.000Z', local: '2026-02-16T09:00:00+01:00' },
        { at: '2026-02-19T08:00:00.000Z', local: '2026-02-19T09:00:00+01:00' },
        { at: '2026-02-23T08:00:00.000Z', local: '2026-02-23T09:00:00+01:00' },
        { at: '2026-02-26T08:00:00.000Z', local: '2026-02-26T09:00:00+01:00' },
        { at: '2026-03-02T08:00:00.000Z', local: '2026-03-02T09:00:00+01:00' },
      ],
      moves_with_clocks: true,
    },
  ]);
  const made = await server.post(`${SCHEDULER}/jobs`, {
    ...{ job_id: 'monday', agent_id: 'agent_default', message: 'report', mode: 'isolated' },
    ...{ enabled: true, ...(answer.body as { schedules: object[] }).schedules[0] },
  });
  expect([made.status, made.body]).toMatchObject([
    201,
    { next_run_at: '2026-02-16T08:00:00.000Z' },
  ]);
});

test('what is to come is for whoever has the token', async () => {
  const server = await openAdminServer();

  const answer = await server.call(`${SCHEDULER}/upcoming`, { anonymous: true });

  expect(answer.status).toBe(401);
});
