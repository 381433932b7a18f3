import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentId, DEFAULT_AGENT_ID, type SessionId } from '../../src/core/ids.ts';
import type { Message, Model } from '../../src/core/loop/model.ts';
import {
  continueSession,
  MAX_TOLD_CHARS,
  MAX_TOLD_MESSAGES,
  type ToldMessage,
} from '../../src/core/sessions/continue-session.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { untilAborted } from '../support/until-aborted.ts';

const PLACE = { agentId: DEFAULT_AGENT_ID, channel: 'cli', userId: 'ada', roomId: 'a' };

let runtime: TestRuntime;
let asked: (readonly Message[])[];

/** Answers what it is asked, and hangs on `wait`. */
const model: Model = {
  provider: 'test',
  name: 'echo',
  toolCalls: 'native',
  async *stream({ messages }, signal) {
    asked.push(messages);
    const last = messages.at(-1);
    const text = last?.role === 'user' ? last.text : '';
    if (text === 'wait') await untilAborted(signal);
    yield { type: 'text', delta: `re ${text}` };
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
  },
};

beforeEach(async () => {
  asked = [];
  runtime = await openTestRuntime(model);
});

afterEach(() => runtime.dispose());

const user = (content: string): ToldMessage => ({ role: 'user', content });
const assistant = (content: string): ToldMessage => ({ role: 'assistant', content });
const said = (...texts: string[]) => texts.flatMap((text) => [user(text), assistant(`re ${text}`)]);

const open = (told: readonly ToldMessage[]) => continueSession(runtime, { place: PLACE, told });

async function submit(sessionId: SessionId, message: string) {
  const receipt = await runtime.runs.submit({
    agentId: DEFAULT_AGENT_ID,
    message,
    source: 'test',
    sessionId,
  });
  return receipt.run;
}

async function ask(sessionId: SessionId, message: string): Promise<string[]> {
  const { id } = await submit(sessionId, message);
  await runtime.awaitEnd(id);
  return (asked.at(-1) ?? []).map(({ text }) => text);
}

test('goes on with the session that ends as it was told', async () => {
  const first = await open([]);
  await ask(first.id, 'one');

  const second = await open(said('one'));
  const again = await open(said('one'));

  expect([second.id, again.id]).toEqual([first.id, first.id]);
  expect(await ask(second.id, 'two')).toEqual(['one', 're one', 'two']);
});

test('leaves out what was cancelled, whether its run has ended or not', async () => {
  const first = await open([]);
  await ask(first.id, 'one');
  const waiting = await submit(first.id, 'wait');

  const beside = await open(said('one'));
  await runtime.runs.cancel({ runId: waiting.id, reason: '', actor: 'user' });
  await runtime.awaitEnd(waiting.id);
  const after = await open(said('one'));

  expect(beside).toMatchObject({ forkedFrom: first.id, lastExchange: 1 });
  expect(after.id).toBe(beside.id);
  expect(await ask(beside.id, 'two')).toEqual(['one', 're one', 'two']);
});

test('leaves out an answer that the caller never kept', async () => {
  const first = await open([]);
  await ask(first.id, 'one');
  await ask(first.id, 'late');

  const session = await open(said('one'));

  expect(session).toMatchObject({ forkedFrom: first.id, lastExchange: 1 });
});

test('a conversation that no session has is told to a new one, once', async () => {
  const first = await open(said('one', 'two'));
  const again = await open(said('one', 'two'));

  expect(again.id).toBe(first.id);
  expect(await ask(first.id, 'three')).toEqual(['one', 're one', 'two', 're two', 'three']);
});

test('a question without an answer is told too', async () => {
  const first = await open([...said('one'), user('two')]);
  const again = await open([...said('one'), user('two')]);

  expect(again.id).toBe(first.id);
  expect(await ask(first.id, 'three')).toEqual(['one', 're one', 'two', 'three']);
});

test('an account that begins anew gets a session that does too', async () => {
  const first = await open([]);
  await ask(first.id, 'one');

  const second = await open([]);

  expect(second.id).not.toBe(first.id);
  expect(await ask(second.id, 'two')).toEqual(['two']);
});

test('long texts are told apart by their beginnings, in whole characters', async () => {
  const long = '𝄞'.repeat(MAX_TOLD_CHARS + 10);
  const first = await open([user(long), assistant(long)]);

  const again = await open([user(long.slice(0, 2 * MAX_TOLD_CHARS)), assistant(long)]);

  expect(again.id).toBe(first.id);
});

test('of a long account the newest part is told', async () => {
  const texts = Array.from({ length: MAX_TOLD_MESSAGES }, (_, index) => `text ${index}`);

  const { id } = await open(said(...texts));

  const { messages } = await runtime.sessions.messages(id, { limit: 1_000 });
  expect(messages).toHaveLength(MAX_TOLD_MESSAGES);
  expect(messages.at(-1)?.content).toBe('re text 199');
});

test('an agent that does not exist gets no session', async () => {
  const place = { ...PLACE, agentId: 'nobody' as AgentId };

  await expect(continueSession(runtime, { place, told: [] })).rejects.toMatchObject({
    code: 'not_found',
    details: { thing: 'agent' },
  });

  const { sessions } = await runtime.sessions.list({ includeClosed: true, limit: 10 });
  expect(sessions).toEqual([]);
});
