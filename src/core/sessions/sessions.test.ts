import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { failureOf } from '../../toolbox/test-workspace.ts';
import { createIds } from '../create-ids.ts';
import { type AgentId, DEFAULT_AGENT_ID } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { DEFAULT_CONTEXT_LIMITS } from './context-limits.ts';
import type { MessagePlace } from './session.ts';
import { createSessions, MAX_MESSAGE_PAGE, type Sessions } from './sessions.ts';

const SECRET = 'correct-horse-battery-staple';
const HOME = { agentId: DEFAULT_AGENT_ID, channel: 'http', userId: 'ada', roomId: 'dev' };

async function openSessions(): Promise<Sessions> {
  const root = await openTempRoot();
  const storage = await openSqliteStorage({
    file: join(root.path, 'pincer.db'),
    writer: 'inline',
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });
  return createSessions({
    store: storage.sessions,
    agents: storage.agents,
    ids: createIds(() => Date.now()),
    redactor: createRedactor({ secrets: () => [SECRET] }),
    context: () => DEFAULT_CONTEXT_LIMITS,
  });
}

const said = (content: string) => ({ role: 'user' as const, content });

test('a place goes on in its session until a new one is started there', async () => {
  const sessions = await openSessions();

  const first = await sessions.open(HOME);
  const again = await sessions.open(HOME);
  const started = await sessions.start(HOME);
  const after = await sessions.open(HOME);

  expect([first.created, again.created, after.created]).toEqual([true, false, false]);
  expect(again.session.id).toBe(first.session.id);
  expect(after.session.id).toBe(started.id);
  expect(started.id).not.toBe(first.session.id);
});

test('resumes a session in its own place only', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);
  await sessions.start(HOME);
  const places = [
    { ...HOME, agentId: 'other' as AgentId },
    { ...HOME, channel: 'cli' },
    { ...HOME, userId: 'bob' },
    { ...HOME, roomId: 'ops' },
    HOME,
  ];

  const outcomes: string[] = [];
  for (const place of places) outcomes.push((await sessions.resume(session.id, place)).outcome);
  const active = await sessions.open(HOME);

  expect(outcomes).toEqual(['elsewhere', 'elsewhere', 'elsewhere', 'elsewhere', 'resumed']);
  expect(active.session.id).toBe(session.id);
});

test('what can not be resumed replaces nothing', async () => {
  const sessions = await openSessions();
  const { session: old } = await sessions.open(HOME);
  await sessions.close(old.id);
  const current = await sessions.start(HOME);

  const results = [];
  for (const id of ['../secrets', 'a/b', '', 'session_none', old.id]) {
    results.push((await sessions.resume(id, HOME)).outcome);
  }

  expect(results).toEqual(['missing', 'missing', 'missing', 'missing', 'closed']);
  expect((await sessions.open(HOME)).session.id).toBe(current.id);
});

test('closing is idempotent, and a closed session takes no messages', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);

  const closes = [await sessions.close(session.id), await sessions.close(session.id)];
  const failure = await failureOf(sessions.append(session.id, [said('hello')]));

  expect(closes.map(({ alreadyClosed }) => alreadyClosed)).toEqual([false, true]);
  expect(failure).toMatchObject({ code: 'conflict', message: `session ${session.id} is closed` });
});

test('reads messages page by page from the newest on, without secrets', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);
  await sessions.append(session.id, [said('one'), said('two')]);
  await sessions.append(session.id, [said(`the key is ${SECRET}`)]);

  const newest = await sessions.messages(session.id, { limit: 2 });
  const rest = await sessions.messages(session.id, { limit: 2, before: newest.next! });

  expect(newest.messages.map(({ content }) => content)).toEqual(['two', 'the key is [REDACTED]']);
  expect(newest.next).toEqual({ exchange: 1, position: 1 });
  expect(rest.messages.map(({ content }) => content)).toEqual(['one']);
  expect(rest.next).toBeUndefined();
});

test('the largest page knows whether there is another', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);
  const many = Array.from({ length: 200 }, (_, index) => said(`${index}`));
  for (let count = 0; count < MAX_MESSAGE_PAGE; count += many.length) {
    await sessions.append(session.id, many);
  }
  await sessions.append(session.id, [said('last')]);

  let count = 0;
  let before: MessagePlace | undefined;
  do {
    const page = await sessions.messages(session.id, { limit: 10_000, ...(before && { before }) });
    count += page.messages.length;
    before = page.next;
  } while (before);

  expect(count).toBe(MAX_MESSAGE_PAGE + 1);
});

test('a fork goes its own way', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);
  await sessions.append(session.id, [said('one')]);
  await sessions.append(session.id, [said('two')]);

  const fork = await sessions.fork({ from: session.id, throughExchange: 1, id: 'my-fork' });
  await sessions.append(fork.id, [said('other')]);

  const contents = [];
  for (const id of [session.id, fork.id]) {
    const { messages } = await sessions.messages(id, { limit: 10 });
    contents.push(messages.map(({ content }) => content));
  }
  expect(fork).toMatchObject({ id: 'my-fork', forkedFrom: session.id, ...HOME });
  expect(contents).toEqual([
    ['one', 'two'],
    ['one', 'other'],
  ]);
  expect((await sessions.open(HOME)).session.id).toBe(session.id);
});

test('compacting keeps the messages, and what is said later is folded the next time', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);
  await sessions.append(session.id, [said('one'), said(`the key is ${SECRET}`)]);

  const first = await sessions.compact(session.id);
  const again = await sessions.compact(session.id);
  await sessions.append(session.id, [said('three')]);
  const later = await sessions.compact(session.id);
  const { messages } = await sessions.messages(session.id, { limit: 10 });

  const lines = ['#1 user: one', '#2 user: the key is [REDACTED]'];
  const current = await sessions.get(session.id);
  expect(first).toMatchObject({ messages: 2, session: { id: session.id, messageCount: 2 } });
  expect(first.summary.split('\n').slice(1)).toEqual(lines);
  expect(again).toEqual({ ...first, messages: 0 });
  expect(later).toMatchObject({ messages: 1, session: current });
  expect(later.summary.split('\n').slice(1)).toEqual([...lines, '#3 user: three']);
  expect(messages).toHaveLength(3);
});

test('refuses a fork of nothing, onto something, and to no sensible place', async () => {
  const sessions = await openSessions();
  const { session } = await sessions.open(HOME);
  const from = session.id;

  const failures = [];
  for (const request of [
    { from: 'session_none' },
    { from, id: from },
    { from, id: '../x' },
    { from: 'a/../b' },
    { from, throughExchange: -1 },
    { from, throughExchange: 1.5 },
  ]) {
    failures.push((await failureOf(sessions.fork(request))).code);
  }

  expect(failures).toEqual([
    'not_found',
    'conflict',
    'invalid_input',
    'invalid_input',
    'invalid_input',
    'invalid_input',
  ]);
});

test('an unknown session is not found, and what is no id is not looked for', async () => {
  const sessions = await openSessions();

  const failures = [
    await failureOf(sessions.get('session_none')),
    await failureOf(sessions.messages('session_none', { limit: 1 })),
    await failureOf(sessions.close('session_none')),
    await failureOf(sessions.compact('session_none')),
    await failureOf(sessions.get('../../etc')),
  ];

  const missing = {
    code: 'not_found',
    message: 'session session_none does not exist',
    details: { thing: 'session' },
  };
  expect(failures).toEqual([
    missing,
    missing,
    missing,
    missing,
    {
      code: 'invalid_input',
      message: 'session_id must have 1 to 128 letters, digits, _ or -',
      details: undefined,
    },
  ]);
});

test('remembers whom a place talks to', async () => {
  const sessions = await openSessions();

  const before = await sessions.findActiveAgent(HOME);
  await sessions.setActiveAgent(HOME, 'writer' as AgentId);

  expect(before).toBeUndefined();
  expect(await sessions.findActiveAgent(HOME)).toBe('writer');
});
