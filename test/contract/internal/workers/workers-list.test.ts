import { expect, test } from 'vitest';
import {
  attach,
  ISO,
  invalid,
  NO_PRINCIPAL,
  openWorkerServer,
  outcomeOf,
  WORKERS,
} from './worker-server.ts';

const idsOf = (body: unknown) =>
  (body as { data: { worker_id: string }[] }).data.map(({ worker_id: id }) => id);

test('lists the workers of the principal, the latest changed first', async () => {
  const server = await openWorkerServer();
  await attach(server, { worker_id: 'codexw_1', workspace_ref: 'workspace://demo' });
  await attach(server, { worker_id: 'codexw_2' });
  await server.post(WORKERS, { worker_id: 'codexw_3' }, { userId: 7 });
  await server.post(`${WORKERS}/codexw_1/stop`, {});

  const all = await server.get(WORKERS);

  expect(all.status).toBe(200);
  expect(all.body).toEqual({
    data: [
      {
        worker_id: 'codexw_1',
        status: 'stopped',
        latest_seq: 2,
        workspace_ref: 'workspace://demo',
        codex_home_ref: null,
        adapter: 'in_memory',
        command: null,
        metadata: {},
        started_at: ISO,
        stopped_at: ISO,
        updated_at: ISO,
        last_heartbeat_at: ISO,
        heartbeat_state: 'stopped',
        heartbeat_age_ms: expect.any(Number),
        heartbeat_stale_after_ms: 120_000,
        convex_projection: null,
      },
      expect.objectContaining({ worker_id: 'codexw_2', heartbeat_state: 'fresh' }),
    ],
  });
});

test('filters by status and workspace, and by a limit', async () => {
  const server = await openWorkerServer();
  await attach(server, { worker_id: 'codexw_1', workspace_ref: 'workspace://demo' });
  await attach(server, { worker_id: 'codexw_2' });
  await server.post(`${WORKERS}/codexw_2/stop`, {});

  const list = async (query: string) => idsOf((await server.get(`${WORKERS}?${query}`)).body);

  expect(await list('status=running')).toEqual(['codexw_1']);
  expect(await list('status=stopped')).toEqual(['codexw_2']);
  expect(await list('status=failed')).toEqual([]);
  expect(await list('workspace_ref=workspace%3A%2F%2Fdemo')).toEqual(['codexw_1']);
  expect(await list('workspace_ref=workspace')).toEqual([]);
  expect(await list('limit=1')).toEqual(['codexw_2']);
});

test('finds a workspace by the name that it was given, also when that held a secret', async () => {
  const server = await openWorkerServer();
  const ref = 'https://ci:hunter2secret@git.example.com/repo';
  await attach(server, { worker_id: 'codexw_1', workspace_ref: ref });

  const { body, text } = await server.get(`${WORKERS}?workspace_ref=${encodeURIComponent(ref)}`);

  expect(idsOf(body)).toEqual(['codexw_1']);
  expect(text).not.toContain('hunter2secret');
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();

  const answers = [
    await server.get(`${WORKERS}?limit=0`, { nobody: true }),
    await server.get(`${WORKERS}?limit=0`),
    await server.get(`${WORKERS}?limit=201`),
    await server.get(`${WORKERS}?limit=1e2`),
    await server.get(`${WORKERS}?status=gone`),
    await server.get(`${WORKERS}?workspace_ref=${'x'.repeat(256)}`),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    invalid('limit must be at least 1'),
    invalid('limit must be at most 200'),
    invalid('limit must be an integer'),
    invalid('status must be one of starting, running, stopping, stopped, failed'),
    invalid('workspace_ref must be at most 255 characters'),
  ]);
});
