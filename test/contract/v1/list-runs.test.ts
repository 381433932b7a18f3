import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openTestServer, START_MS, start, submit } from './test-server.ts';

interface Page {
  readonly runs: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

test('answers an empty list when there are no runs', async () => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs');

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ runs: [], next_cursor: null });
});

test('lists a run with every field but its trace', async () => {
  const server = await openTestServer({ clock: new ManualClock(START_MS) });
  await submit(server, 'run_1');

  const answer = await server.call('/v1/runs');

  expect(answer.body).toEqual({
    runs: [
      {
        id: 'run_1',
        agent_id: 'agent_default',
        source: 'http',
        status: 'queued',
        output: '',
        artifact_path: '.openclawssy/agents/agent_default/runs/run_1',
        duration_ms: 0,
        tool_calls: 0,
        provider: '',
        model: '',
        message: 'hello',
        stop_reason: null,
        usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
        created_at: '2026-02-15T00:00:00.000Z',
        updated_at: '2026-02-15T00:00:00.000Z',
        last_seq: 1,
      },
    ],
    next_cursor: null,
  });
});

test('pages newest first, without gaps or repeats', async () => {
  const server = await openTestServer();
  for (const id of ['run_1', 'run_2', 'run_3', 'run_4', 'run_5']) await submit(server, id);

  const pages: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = (await server.call(`/v1/runs?limit=2${query}`)).body as Page;
    pages.push(page.runs.map((run) => run.id));
    cursor = page.next_cursor;
  }

  expect(pages).toEqual([['run_5', 'run_4'], ['run_3', 'run_2'], ['run_1']]);
});

test('filters by status and agent', async () => {
  const server = await openTestServer();
  await submit(server, 'run_1');
  await start(server, 'run_2');

  const running = (await server.call('/v1/runs?status=running')).body as Page;
  const ofNobody = (await server.call('/v1/runs?agent_id=nobody')).body as Page;

  expect(running.runs.map((run) => run.id)).toEqual(['run_2']);
  expect(ofNobody).toEqual({ runs: [], next_cursor: null });
});

test.each([
  ['status=queued,running', ['run_3', 'run_2', 'run_1']],
  ['status=running,waiting', ['run_2']],
  ['source=http', ['run_3', 'run_2', 'run_1']],
  ['source=mail', []],
  ['q=GOOD%20news', ['run_3']],
  ['q=news&status=running', []],
  ['from=2026-02-15T00:00:01Z', ['run_3', 'run_2']],
  ['from=2026-02-15T01:00:01%2B01:00&to=2026-02-15T00:00:02.000Z', ['run_2']],
  ['to=2026-02-15T00:00:00Z', []],
])('finds runs by ?%s', async (query, ids) => {
  const clock = new ManualClock(START_MS);
  const server = await openTestServer({ clock });
  await submit(server, 'run_1');
  clock.advance(1_000);
  await start(server, 'run_2');
  clock.advance(1_000);
  await submit(server, 'run_3', 'any good news?');

  const answer = await server.call(`/v1/runs?${query}`);

  expect(answer.status).toBe(200);
  expect((answer.body as Page).runs.map((run) => run.id)).toEqual(ids);
});

const STATUSES = 'queued, running, waiting, cancelling, completed, failed, cancelled';

test.each([
  ['limit=0', 'limit must be at least 1'],
  ['limit=201', 'limit must be at most 200'],
  ['limit=ten', 'limit must be an integer'],
  ['limit=1e2', 'limit must be an integer'],
  ['limit=', 'limit must be an integer'],
  ['limit=1&limit=2', 'limit must be given once'],
  ['status=done', `status must be one of ${STATUSES}`],
  ['status=failed,', `status must be one of ${STATUSES}`],
  ['q=%20', 'q must not be empty'],
  [`q=${'x'.repeat(201)}`, 'q must be at most 200 characters'],
  ['source=', 'source must not be empty'],
  ['from=yesterday', 'from must be an RFC 3339 time'],
  ['to=2026-02-30T00:00:00Z', 'to must be an RFC 3339 time'],
  [
    'agent_id=a%2Fb',
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  ['cursor=', 'cursor must not be empty'],
  ['cursor=%21%21', 'cursor is not one that a list answered with'],
  ['cursor=cnVuXzE%3D', 'cursor is not one that a list answered with'],
  ['offset=1', 'unknown query parameter: offset'],
])('refuses ?%s', async (query, message) => {
  const server = await openTestServer();

  const answer = await server.call(`/v1/runs?${query}`);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { code: 'invalid.request', message } });
});

test('ends a page early when its texts get long, and the cursor goes on from there', async () => {
  const server = await openTestServer();
  const message = 'x'.repeat(250_000);
  for (let count = 10; count < 40; count += 1) await submit(server, `run_${count}`, message);

  const first = await server.call('/v1/runs?limit=30');
  const { runs, next_cursor: cursor } = first.body as Page;
  const rest = (await server.call(`/v1/runs?limit=30&cursor=${cursor}`)).body as Page;

  expect(first.text.length).toBeLessThan(5_000_000);
  expect([...runs, ...rest.runs].map((run) => run.id)).toEqual(
    Array.from({ length: 30 }, (_, at) => `run_${39 - at}`),
  );
  expect(rest.next_cursor).toBeNull();
});

test('names the runs that can not be read, and shows the others', async () => {
  const server = await openTestServer({
    alter: (runs) => ({
      ...runs,
      list: async (filter) => ({ ...(await runs.list(filter)), unreadable: ['run_2' as RunId] }),
    }),
  });
  await submit(server, 'run_1');

  const answer = await server.call('/v1/runs');

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    runs: [{ id: 'run_1' }],
    next_cursor: null,
    unreadable_run_ids: ['run_2'],
  });
});
