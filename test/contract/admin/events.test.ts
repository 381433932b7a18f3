import { expect, test, vi } from 'vitest';
import { EVENT_TYPES } from '../../../src/core/events/event.ts';
import { type WatchStep, watchEvents } from '../../../src/core/events/watch-events.ts';
import type { AgentId, RunId } from '../../../src/core/ids.ts';
import type { LeaseRef } from '../../../src/core/runs/run-store.ts';
import { type EventReader, openEvents } from '../v1/event-reader.ts';
import { type AdminServer, openAdminServer, START, seal, startRun } from './test-admin-server.ts';

const EVENTS = '/api/admin/events';

interface LiveFrame {
  readonly event: string;
  readonly data: unknown;
}

/** Complete frames; the stream of all runs has no ids to come back to. */
function framesOf(reader: EventReader): LiveFrame[] {
  const blocks = reader.text().split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const match = /^event: (\S+)\ndata: (.*)$/.exec(block);
    return match ? [{ event: match[1] ?? '', data: JSON.parse(match[2] ?? '') }] : [];
  });
}

const namesOf = (reader: EventReader) => framesOf(reader).map(({ event }) => event);
const untilNames = (reader: EventReader, names: readonly string[]) =>
  vi.waitFor(() => expect(namesOf(reader)).toEqual(names), { timeout: 5_000, interval: 5 });

async function openLive(server: AdminServer, query = ''): Promise<EventReader> {
  const reader = await openEvents(server.port, `${EVENTS}${query}`);
  await untilNames(reader, ['ready']);
  return reader;
}

const END = {
  status: 'completed',
  stopReason: 'completed',
  output: 'done',
  totals: { turns: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
} as const;

const delta = () => seal({ type: 'model.delta', actor: 'model', payload: { text: 'a' } });

test('streams what happens in all runs from now on', async () => {
  const server = await openAdminServer();
  const { runs } = server.storage;
  const old = await startRun(server, 'run_old');

  const reader = await openLive(server);
  await runs.append(old, [seal({ type: 'model.requested', payload: { turn: 1 } })]);
  await untilNames(reader, ['ready', 'model.requested']);
  const fresh = await startRun(server, 'run_new');
  await runs.append(fresh, [delta()]);
  await runs.finish(fresh, [seal({ type: 'run.completed', payload: {} })], END);
  await untilNames(reader, [
    'ready',
    'model.requested',
    'run.created',
    'run.started',
    'run.completed',
  ]);

  const base = { event_id: expect.stringMatching(/^evt_/), ts: START, agent_id: 'agent_default' };
  const system = { ...base, actor: 'system', payload: {} };
  expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(framesOf(reader).map(({ data }) => data)).toEqual([
    {},
    { ...system, event_type: 'model.requested', run_id: 'run_old', seq: 3, payload: { turn: 1 } },
    { ...system, event_type: 'run.created', run_id: 'run_new', seq: 1 },
    { ...system, event_type: 'run.started', run_id: 'run_new', seq: 2 },
    { ...system, event_type: 'run.completed', run_id: 'run_new', seq: 4 },
  ]);
});

test.each<[query: string, names: string[]]>([
  ['?deltas=true', ['run.created', 'run.started', 'model.delta', 'run.completed']],
  ['?types=run.completed', ['run.completed']],
  ['?types=model.delta,run.completed', ['model.delta', 'run.completed']],
  ['?types=run.completed&deltas=true', ['model.delta', 'run.completed']],
  ['?agent_id=agent_default&types=run.completed', ['run.completed']],
])('leaves out what %s does not ask for', async (query, names) => {
  const server = await openAdminServer();

  const reader = await openLive(server, query);
  const lease = await startRun(server, 'run_1');
  await server.storage.runs.append(lease, [delta()]);
  await server.storage.runs.finish(lease, [seal({ type: 'run.completed', payload: {} })], END);

  await untilNames(reader, ['ready', ...names]);
});

test('shows one agent when asked for one', async () => {
  const server = await openAdminServer();
  const other = 'agent_other' as AgentId;
  await server.storage.agents.ensure({
    id: other,
    name: 'Other',
    role: '',
    model: undefined,
    instructions: '',
  });

  const reader = await openLive(server, '?agent_id=agent_other&types=run.created');
  await startRun(server, 'run_1');
  await server.storage.runs.create(
    { id: 'run_2' as RunId, agentId: other, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    { maxQueued: 10 },
  );

  await untilNames(reader, ['ready', 'run.created']);
  expect(framesOf(reader)[1]?.data).toMatchObject({ run_id: 'run_2', agent_id: 'agent_other' });
});

test.each([
  ['types=run.exploded', 'types must name event types'],
  ['types=', 'types must name event types'],
  ['deltas=1', 'deltas must be one of true, false'],
  [
    'agent_id=a%2Fb',
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  ['cursor=1', 'unknown query parameter: cursor'],
])('refuses ?%s before it opens a stream', async (query, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`${EVENTS}?${query}`);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});

test('answers HEAD without opening a stream', async () => {
  const server = await openAdminServer();

  const answer = await server.call(EVENTS, { method: 'HEAD' });

  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
});

/** A reader that takes one step at a time. */
function watch(server: AdminServer, maxPendingRuns: number) {
  const leaving = new AbortController();
  const { runs, news, wakeups } = server.storage;
  const steps = watchEvents(
    { runs, news, wakeups, clock: server.clock },
    { types: new Set(EVENT_TYPES), signal: leaving.signal, maxPendingRuns },
  );
  const next = async (): Promise<WatchStep | undefined> => (await steps.next()).value ?? undefined;
  return { next, leave: () => leaving.abort() };
}

const summaryOf = (step: WatchStep | undefined) =>
  step?.kind === 'events'
    ? step.events.map(({ runId, seq }) => `${runId}:${seq}`).join(' ')
    : step?.kind;

test('a reader that falls behind hears that it has lagged, and goes on from there', async () => {
  const server = await openAdminServer();
  const reader = watch(server, 2);

  const ready = await reader.next();
  for (const id of ['run_1', 'run_2', 'run_3']) await startRun(server, id);
  const lagged = await reader.next();
  const lease = await startRun(server, 'run_4');
  const fresh = await reader.next();
  await server.storage.runs.append(lease, [delta()]);
  const later = await reader.next();
  reader.leave();

  expect([ready, lagged, fresh, later].map(summaryOf)).toEqual([
    'ready',
    'lagged',
    'run_4:1 run_4:2',
    'run_4:3',
  ]);
});

test('events whose wake-up was lost are found by looking', async () => {
  const server = await openAdminServer();
  const { runs, news } = server.storage;
  const lease = await startRun(server, 'run_1');
  const leaving = new AbortController();
  const deaf = { watchRuns: () => () => {} };
  const steps = watchEvents(
    { runs, news, wakeups: deaf, clock: server.clock },
    { types: new Set(EVENT_TYPES), signal: leaving.signal },
  );

  await steps.next();
  await runs.append(lease, [delta()]);
  await startRun(server, 'run_2');
  const first = steps.next();
  await vi.waitFor(() => expect(server.clock.pendingTimers).toBe(1));
  server.clock.advance(15_000);
  const found = [summaryOf((await first).value ?? undefined)];
  found.push(summaryOf((await steps.next()).value ?? undefined));
  leaving.abort();

  expect(found.sort()).toEqual(['run_1:3', 'run_2:1 run_2:2']);
  expect((await steps.next()).done).toBe(true);
  expect(server.clock.pendingTimers).toBe(0);
});

test('looking finds everything that was lost, also behind many newer runs', async () => {
  const server = await openAdminServer();
  const { runs, news } = server.storage;
  const finish = (lease: LeaseRef) =>
    runs.finish(lease, [seal({ type: 'run.completed', payload: {} })], END);
  const old = await startRun(server, 'run_old');
  const leaving = new AbortController();
  const heard: ((runId: RunId) => void)[] = [];
  const wakeups = {
    watchRuns(listener: (runId: RunId) => void) {
      heard.push(listener);
      return () => {};
    },
  };
  const steps = watchEvents(
    { runs, news, wakeups, clock: server.clock },
    { types: new Set(['run.created', 'run.completed']), signal: leaving.signal },
  );
  const take = async (count: number) => {
    const found: string[] = [];
    while (found.length < count)
      found.push(summaryOf((await steps.next()).value ?? undefined) ?? '');
    return found.sort();
  };

  await take(1);
  await finish(old);
  server.clock.advance(1);
  await finish(await startRun(server, 'run_lost'));
  const newer = Array.from({ length: 110 }, (_, index) => `run_new_${index}`);
  for (const id of newer) {
    server.clock.advance(1);
    await startRun(server, id);
  }
  for (const id of newer) for (const listener of heard) listener(id as RunId);
  const told = await take(newer.length);
  const first = take(2);
  await vi.waitFor(() => expect(server.clock.pendingTimers).toBe(1));
  server.clock.advance(15_000);
  const found = await first;
  leaving.abort();

  expect(told).toEqual(newer.map((id) => `${id}:1`).sort());
  expect(found).toEqual(['run_lost:1 run_lost:3', 'run_old:3']);
});

test('a late wake-up of a run that has ended brings nothing twice', async () => {
  const server = await openAdminServer();
  const { runs, news } = server.storage;
  const listeners: ((runId: RunId) => void)[] = [];
  const wakeups = {
    watchRuns(listener: (runId: RunId) => void) {
      listeners.push(listener);
      return () => {};
    },
  };
  const before = await startRun(server, 'run_before');
  await runs.finish(before, [seal({ type: 'run.completed', payload: {} })], END);
  server.clock.advance(1);
  await startRun(server, 'run_open');
  const leaving = new AbortController();
  const steps = watchEvents(
    { runs, news, wakeups, clock: server.clock },
    { types: new Set(EVENT_TYPES), signal: leaving.signal },
  );
  const wake = (...ids: string[]) => {
    for (const id of ids) for (const listener of listeners) listener(id as RunId);
  };

  await steps.next();
  const lease = await startRun(server, 'run_new');
  await runs.finish(lease, [seal({ type: 'run.completed', payload: {} })], END);
  wake('run_new');
  const fresh = await steps.next();
  await startRun(server, 'run_last');
  wake('run_new', 'run_before', 'run_open', 'run_last');
  const last = await steps.next();
  leaving.abort();

  expect([fresh, last].map(({ value }) => summaryOf(value ?? undefined))).toEqual([
    'run_new:1 run_new:2 run_new:3',
    'run_last:1 run_last:2',
  ]);
});
