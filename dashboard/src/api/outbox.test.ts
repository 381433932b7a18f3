import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { discard, outbox, post, startOutbox } from './outbox.ts';
import { session } from './session-state.ts';

const MESSAGE = {
  to: { kind: 'session', sessionId: 'session_1' },
  agentId: 'agent_default',
  text: 'hello',
} as const;
const KEPT = 'pincer.outbox';

const kept = new Map<string, string>();
let answer: () => Promise<Response>;
let sent: string[];

beforeEach(() => {
  vi.useFakeTimers();
  kept.clear();
  sent = [];
  answer = async () => new Response('', { status: 502 });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('fetch', (_path: string, { body }: RequestInit) => {
    sent.push(String((JSON.parse(String(body)) as { message: string }).message));
    return answer();
  });
  session.set({ state: 'in', serverVersion: __PINCER_VERSION__ });
  outbox.set([]);
});

afterEach(() => {
  session.set({ state: 'unknown' });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const received = async () => Response.json({ id: 'run_1' }, { status: 202 });
const states = () => outbox.get().map(({ state }) => state);

test('what was discarded in another tab is not sent by this one', async () => {
  const posted = post(MESSAGE);
  const ended = expect(posted).rejects.toThrow('discarded');
  await vi.advanceTimersByTimeAsync(100);
  expect(states()).toEqual(['waiting']);

  kept.delete(KEPT);
  await vi.advanceTimersByTimeAsync(60_000);

  await ended;
  expect(sent).toEqual(['hello']);
  expect(outbox.get()).toEqual([]);
});

test('while it is tried again it is on its way, and nobody is offered to discard it', async () => {
  const posted = post(MESSAGE);
  await vi.advanceTimersByTimeAsync(100);
  let arrive = (_response: Response) => {};
  answer = () => new Promise((resolve) => (arrive = resolve));

  await vi.advanceTimersByTimeAsync(1_000);
  expect(states()).toEqual(['sending']);
  arrive(await received());

  expect(await posted).toEqual({ sessionId: 'session_1', runId: 'run_1' });
  expect(states()).toEqual(['sent']);
  expect(kept.has(KEPT)).toBe(false);
});

test('where a browser keeps nothing, messages are sent all the same', async () => {
  vi.stubGlobal('localStorage', undefined);
  answer = received;

  expect(await post(MESSAGE)).toEqual({ sessionId: 'session_1', runId: 'run_1' });
});

test('waits for somebody who signs in, and sends then', async () => {
  session.set({ state: 'ended' });
  answer = received;
  const posted = post(MESSAGE);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);

  session.set({ state: 'in', serverVersion: __PINCER_VERSION__ });

  expect(await posted).toEqual({ sessionId: 'session_1', runId: 'run_1' });
});

test('what a former visit left is sent once, however often it is started', async () => {
  const left = { ...MESSAGE, id: 'left-behind', state: 'waiting' };
  kept.set(KEPT, JSON.stringify([left, { ...left, id: 'not-wanted', state: 'refused' }]));
  answer = received;

  startOutbox();
  startOutbox();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(sent).toEqual(['hello']);
  expect(states()).toEqual(['sent', 'refused']);
  discard('not-wanted');
  expect(kept.has(KEPT)).toBe(false);
});
