import { expect, test } from 'vitest';
import type { WorkerId } from '../../../src/core/ids.ts';
import { type AdminServer, openAdminServer } from './test-admin-server.ts';

const WORKERS = '/api/admin/workers';
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function openWithWorkers(...ids: readonly string[]): Promise<AdminServer> {
  const server = await openAdminServer();
  for (const [place, id] of ids.entries()) {
    await server.storage.workers.attach({
      id: id as WorkerId,
      owner: `user:${place}`,
      adapter: 'in_memory',
      command: undefined,
      workspaceRef: 'workspace-1',
      codexHomeRef: undefined,
      metadata: {},
      host: undefined,
      maxLive: 10,
    });
  }
  return server;
}

interface Page {
  readonly workers: readonly { readonly worker_id: string; readonly owner: string }[];
  readonly next_cursor: string | null;
}

test('lists the workers of all principals, page by page', async () => {
  const server = await openWithWorkers('codexw_b', 'codexw_a', 'codexw_c');

  const first = await server.call(`${WORKERS}?limit=2`);
  const { workers, next_cursor: cursor } = first.body as Page;
  const rest = await server.call(`${WORKERS}?limit=2&cursor=${cursor}`);

  expect(workers[0]).toEqual({
    worker_id: 'codexw_a',
    owner: 'user:1',
    status: 'running',
    adapter: 'in_memory',
    command: null,
    workspace_ref: 'workspace-1',
    requests_count: 0,
    latest_seq: 1,
    heartbeat_state: expect.any(String),
    heartbeat_age_ms: expect.any(Number),
    heartbeat_stale_after_ms: expect.any(Number),
    last_heartbeat_at: ISO,
    started_at: ISO,
    stopped_at: null,
    updated_at: ISO,
  });
  expect(workers.map(({ worker_id }) => worker_id)).toEqual(['codexw_a', 'codexw_b']);
  expect(rest.body).toMatchObject({ workers: [{ worker_id: 'codexw_c' }], next_cursor: null });
});

test('stops a worker whoever has attached it, once', async () => {
  const server = await openWithWorkers('codexw_a');

  const stopped = await server.post(`${WORKERS}/codexw_a/stop`, { reason: 'it hangs' });
  const again = await server.post(`${WORKERS}/codexw_a/stop`, undefined);
  const running = await server.call(`${WORKERS}?status=running`);

  expect([stopped.status, stopped.body]).toMatchObject([
    200,
    { status: 'stopped', heartbeat_state: 'stopped', latest_seq: 2, stopped_at: ISO },
  ]);
  expect(again.body).toEqual({ ...(stopped.body as object), heartbeat_age_ms: expect.any(Number) });
  expect(running.body).toEqual({ workers: [], next_cursor: null });
  const log = await server.storage.workers.readEvents('codexw_a' as WorkerId, {
    after: 1,
    limit: 9,
  });
  expect(log).toMatchObject([{ type: 'worker.stopped', payload: { reason: 'it hangs' } }]);
});

test.each<[method: string, path: string, status: number]>([
  ['GET', `${WORKERS}/codexw_none`, 404],
  ['POST', `${WORKERS}/codexw_none/stop`, 404],
  ['GET', `${WORKERS}/x`, 400],
  ['GET', `${WORKERS}?status=asleep`, 400],
  ['GET', `${WORKERS}?cursor=nothing`, 400],
])('%s %s is %i', async (method, path, status) => {
  const server = await openAdminServer();

  expect((await server.call(path, { method })).status).toBe(status);
});

test('workers are not stopped without the token', async () => {
  const server = await openWithWorkers('codexw_a');

  const answer = await server.post(`${WORKERS}/codexw_a/stop`, undefined, { anonymous: true });

  expect(answer.status).toBe(401);
  expect((await server.storage.workers.find('codexw_a' as WorkerId))?.status).toBe('running');
});
