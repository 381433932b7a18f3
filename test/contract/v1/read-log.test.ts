import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  append,
  delta,
  finish,
  openTestServer,
  START_MS,
  start,
  type TestServer,
} from './test-server.ts';

const ROUTE = '/v1/runs/run_1/log';

interface Page {
  readonly events: readonly { readonly seq: number; readonly event_type: string }[];
  readonly through_seq: number;
  readonly has_more: boolean;
}

async function read(server: TestServer, query = ''): Promise<Page> {
  const answer = await server.call(`${ROUTE}${query}`);
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

const short = ({ events, through_seq: through, has_more: more }: Page) => [
  events.map(({ seq }) => seq),
  through,
  more,
];

/** Two events, so many pieces of text, and the end. */
async function seed(server: TestServer, deltas: number): Promise<void> {
  const lease = await start(server, 'run_1');
  for (let from = 0; from < deltas; from += 500) {
    const count = Math.min(500, deltas - from);
    await append(server, lease, ...Array.from({ length: count }, () => delta('x')));
  }
  await finish(server, lease);
}

test('shows events as JSON, without pieces of text unless they are asked for', async () => {
  const server = await openTestServer({ clock: new ManualClock(START_MS) });
  await seed(server, 1);

  const answer = await server.call(ROUTE);

  const base = {
    event_id: expect.stringMatching(/^evt_/),
    ts: '2026-02-15T00:00:00.000Z',
    run_id: 'run_1',
    agent_id: 'agent_default',
  };
  const created = { source: 'http', message: 'hello' };
  const ended = { status: 'completed', output: 'all done' };
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      run_id: 'run_1',
      events: [
        { ...base, event_type: 'run.created', seq: 1, actor: 'user', payload: created },
        { ...base, event_type: 'run.started', seq: 2, actor: 'system', payload: {} },
        { ...base, event_type: 'run.completed', seq: 4, actor: 'system', payload: ended },
      ],
      through_seq: 4,
      has_more: false,
    },
  ]);
  expect(short(await read(server, '?deltas=true'))).toEqual([[1, 2, 3, 4], 4, false]);
  expect(short(await read(server, '?types=model.delta,run.started'))).toEqual([[2, 3], 4, false]);
});

test('a long log is read window by window, and the stream goes on from there', async () => {
  const server = await openTestServer();
  await seed(server, 12_000);

  const windows: unknown[] = [];
  let page = await read(server);
  windows.push(short(page));
  while (page.has_more) {
    page = await read(server, `?after=${page.through_seq}`);
    windows.push(short(page));
  }
  const last = await read(server, '?deltas=true&after=11990&limit=3');

  expect(windows).toEqual([
    [[1, 2], 5_000, true],
    [[], 10_000, true],
    [[12_003], 12_003, false],
  ]);
  expect(short(last)).toEqual([[11_991, 11_992, 11_993], 11_993, true]);
  expect(short(await read(server, '?after=12003'))).toEqual([[], 12_003, false]);
});

test('a page stays bounded when payloads are long', async () => {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  const text = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 6; at += 1) await append(server, lease, delta(text));

  const first = await read(server, '?deltas=true');
  const second = await read(server, `?deltas=true&after=${first.through_seq}`);

  expect(short(first)).toEqual([[1, 2, 3, 4, 5], 5, true]);
  expect(short(second)).toEqual([[6, 7, 8], 8, false]);
});

test('begins with what is kept, and refuses a cursor below it', async () => {
  const server = await openTestServer();
  await seed(server, 3);
  const runId = 'run_1' as RunId;
  await server.storage.runs.markRecorded([{ runId, auditedSeq: 6, bundled: true }]);
  await server.storage.retention.prune([{ runId, through: 3 }]);

  const kept = await read(server, '?deltas=true');
  const stale = await server.call(`${ROUTE}?after=2`);

  expect(short(kept)).toEqual([[4, 5, 6], 6, false]);
  expect([stale.status, stale.body]).toMatchObject([410, { error: { details: { floor: 3 } } }]);
});

test.each([
  ['/v1/runs/run_none/log', 404, 'run run_none does not exist'],
  [`${ROUTE}?after=-1`, 400, 'after must be at least 0'],
  [`${ROUTE}?limit=1001`, 400, 'limit must be at most 1000'],
  [`${ROUTE}?types=run.begun`, 400, 'types must name event types'],
  [`${ROUTE}?cursor=1`, 400, 'unknown query parameter: cursor'],
])('refuses %s with %i', async (path, status, message) => {
  const server = await openTestServer();
  await start(server, 'run_1');

  const answer = await server.call(path);

  expect([answer.status, answer.body]).toMatchObject([status, { error: { message } }]);
});
