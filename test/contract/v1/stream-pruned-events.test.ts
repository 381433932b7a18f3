import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { openEvents } from './event-reader.ts';
import { append, delta, finish, openTestServer, start, type TestServer } from './test-server.ts';

const ROUTE = '/v1/runs/run_1/events';

/** An ended run of six events, of which the first three are deleted. */
async function openPruned(): Promise<TestServer> {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  await append(server, lease, delta('a'), delta('b'), delta('c'));
  await finish(server, lease);
  const runId = 'run_1' as RunId;
  await server.storage.runs.markRecorded([{ runId, auditedSeq: 6, bundled: true }]);
  await server.storage.retention.prune([{ runId, through: 3 }]);
  return server;
}

test.each([
  { path: ROUTE, ids: [4, 5, 6, 6] },
  { path: `${ROUTE}?cursor=0`, ids: [4, 5, 6, 6] },
  { path: `${ROUTE}?cursor=3`, ids: [4, 5, 6, 6] },
  { path: `${ROUTE}?cursor=5`, ids: [6, 6] },
  { path: `${ROUTE}?cursor=6`, ids: [6] },
])('$path of a run without its oldest events sends $ids', async ({ path, ids }) => {
  const server = await openPruned();

  const reader = await openEvents(server.port, path);
  await reader.ended;

  expect(reader.frames().map((frame) => frame.id)).toEqual(ids);
  expect(reader.frames().at(-1)).toEqual({ id: 6, event: 'done', data: '[DONE]' });
});

test('refuses a cursor whose next event is no longer kept, and says which cursor works', async () => {
  const server = await openPruned();

  const get = await server.call(`${ROUTE}?cursor=2`);
  const again = await server.call(ROUTE, { headers: { 'last-event-id': '1' } });
  const head = await server.call(`${ROUTE}?cursor=2`, { method: 'HEAD' });

  const message = (cursor: number) =>
    `cursor ${cursor} of run run_1 is stale: events up to 3 are no longer kept`;
  const body = (cursor: number) => ({
    error: { code: 'cursor.stale', message: message(cursor), details: { floor: 3 } },
  });
  expect([get.status, get.body]).toEqual([410, body(2)]);
  expect([again.status, again.body]).toEqual([410, body(1)]);
  expect(head.status).toBe(410);
});

test('the trace of such a run says that it may not be whole', async () => {
  const server = await openPruned();

  const { body } = await server.call('/v1/runs/run_1');

  expect(body).toMatchObject({ status: 'completed', trace: { truncated: true } });
});
