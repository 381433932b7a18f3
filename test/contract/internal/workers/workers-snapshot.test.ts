import { expect, test } from 'vitest';
import {
  attach,
  IMPOSSIBLE,
  ISO,
  NO_PRINCIPAL,
  NOT_OWNED,
  openWorkerServer,
  outcomeOf,
  UNKNOWN,
  WORKERS,
} from './worker-server.ts';

test('shows a worker, without what is secret in what it was given', async () => {
  const server = await openWorkerServer();
  const path = await attach(server, {
    workspace_ref: 'workspace://demo',
    metadata: { tenant_id: 'u_42', api_key: 'sk-1234567890abcdefghijklmnop' },
  });

  const answer = await server.get(`${path}/snapshot`);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    data: {
      worker_id: 'codexw_1',
      status: 'running',
      latest_seq: 1,
      workspace_ref: 'workspace://demo',
      codex_home_ref: null,
      adapter: 'in_memory',
      command: null,
      metadata: { tenant_id: 'u_42', api_key: '[REDACTED]' },
      started_at: ISO,
      stopped_at: null,
      updated_at: ISO,
      last_heartbeat_at: ISO,
      heartbeat_state: 'fresh',
      heartbeat_age_ms: expect.any(Number),
      heartbeat_stale_after_ms: 120_000,
    },
  });
});

test('reports a worker as stale that was not heard of for long', async () => {
  const server = await openWorkerServer({ heartbeat_stale_after_ms: 1000 });
  const path = await attach(server);

  await expect
    .poll(async () => (await server.get(`${path}/snapshot`)).body, { timeout: 10_000 })
    .toMatchObject({ data: { status: 'running', heartbeat_state: 'stale' } });

  await server.post(`${path}/events`, { event: { event_type: 'worker.heartbeat' } });
  const { body } = await server.get(`${path}/snapshot`);
  expect(body).toMatchObject({ data: { heartbeat_state: 'fresh', latest_seq: 2 } });
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const answers = [
    await server.get(`${path}/snapshot`, { nobody: true }),
    await server.get(`${path}/snapshot`, { userId: -1 }),
    await server.get(`${WORKERS}/codexw_2/snapshot`, { userId: 7 }),
    await server.get(`${WORKERS}/a%00b/snapshot`),
    await server.get(`${path}/snapshot`, { userId: 7 }),
    await server.get(`${path}/snapshot`, { guestScope: '42' }),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    NO_PRINCIPAL,
    UNKNOWN,
    IMPOSSIBLE,
    NOT_OWNED,
    NOT_OWNED,
  ]);
});
