import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Message, Model, ModelPart, ModelRequest } from '../../core/loop/model.ts';
import { createScriptedModel } from './scripted-model.ts';

const NEVER = new AbortController().signal;
const USER: Message = { role: 'user', text: 'go' };
const ANSWER: Message = { role: 'assistant', text: 'ok', toolCalls: [] };

function ask(...messages: Message[]): ModelRequest {
  return { system: '', messages, tools: [] };
}

async function collect(model: Model, request: ModelRequest, signal = NEVER): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, signal)) parts.push(part);
  return parts;
}

test('plays the step that the conversation has reached, in any process', async () => {
  const script = {
    steps: [
      { text: ['Let me ', 'look.'], toolCalls: [{ tool: 'fs.read', input: { path: 'a' } }] },
      { text: 'Done.', usage: { inputTokens: 4, outputTokens: 2 } },
    ],
  };
  const first = createScriptedModel(script);
  const afterRestart = createScriptedModel(script);

  expect(await collect(first, ask(USER))).toEqual([
    { type: 'text', delta: 'Let me ' },
    { type: 'text', delta: 'look.' },
    { type: 'tool_call', call: { callId: 'call_1_1', tool: 'fs.read', input: { path: 'a' } } },
    { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 0, outputTokens: 0 } },
  ]);
  expect(await collect(afterRestart, ask(USER, ANSWER))).toEqual([
    { type: 'text', delta: 'Done.' },
    { type: 'finish', reason: 'stop', usage: { inputTokens: 4, outputTokens: 2 } },
  ]);
  expect(afterRestart.requests).toEqual([ask(USER, ANSWER)]);
});

test('says so when the script is over', async () => {
  const model = createScriptedModel({ steps: [{ text: 'only' }] });

  await expect(collect(model, ask(USER, ANSWER))).rejects.toMatchObject({
    code: 'provider_failed',
    retryable: false,
    message: 'script test has 1 steps and was asked for step 2',
  });
});

test('fails as often as the script says, then answers', async () => {
  const error = { status: 429, message: 'slow down', retryAfterMs: 5, times: 1 };
  const model = createScriptedModel({ steps: [{ error, text: 'now' }] });

  await expect(collect(model, ask(USER))).rejects.toMatchObject({
    code: 'provider_failed',
    retryable: true,
    message: 'slow down',
    details: { status: 429, retryAfterMs: 5 },
  });
  expect(await collect(model, ask(USER))).toHaveLength(2);
});

test.each([
  [400, 'provider_failed', false],
  [401, 'provider_misconfigured', false],
  [503, 'provider_failed', true],
  [undefined, 'provider_failed', true],
])('fails with status %s as a provider would', async (status, code, retryable) => {
  const model = createScriptedModel({ steps: [{ error: status === undefined ? {} : { status } }] });

  await expect(collect(model, ask(USER))).rejects.toMatchObject({ code, retryable });
});

test('cuts its stream before the finish', async () => {
  const model = createScriptedModel({ steps: [{ text: 'half', cut: true }] });

  expect(await collect(model, ask(USER))).toEqual([{ type: 'text', delta: 'half' }]);
});

test('hangs until it is aborted', async () => {
  const model = createScriptedModel({ steps: [{ text: 'half', hang: true }] });
  const controller = new AbortController();
  const parts = model.stream(ask(USER), controller.signal)[Symbol.asyncIterator]();
  await parts.next();

  const next = parts.next();
  controller.abort();

  await expect(next).rejects.toMatchObject({ code: 'cancelled' });
});

test('waits by the clock it was given, and for its gates', async () => {
  const clock = new ManualClock();
  const gate = createGate();
  const model = createScriptedModel(
    { steps: [{ text: 'late', delayMs: 1000 }] },
    { clock, gates: { 0: gate.promise } },
  );
  let done = false;
  const parts = collect(model, ask(USER)).then((all) => {
    done = true;
    return all;
  });

  gate.resolve();
  await gate.promise;
  while (clock.pendingTimers === 0) await Promise.resolve();
  expect(done).toBe(false);
  await clock.advance(1000);

  expect(await parts).toHaveLength(2);
});

function createGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('puts the first message into texts and tool inputs', async () => {
  const input = { path: '{{message}}.txt', lines: ['{{message}}', { n: 1 }] };
  const model = createScriptedModel({
    steps: [{ text: 'ok' }, { text: 'did {{message}}', toolCalls: [{ tool: 'fs.write', input }] }],
  });
  const later: Message = { role: 'user', text: 'later' };

  const [text, call] = await collect(model, ask({ role: 'user', text: '$& a' }, ANSWER, later));

  expect(text).toEqual({ type: 'text', delta: 'did $& a' });
  expect(call).toMatchObject({ call: { input: { path: '$& a.txt', lines: ['$& a', { n: 1 }] } } });
});

test('refuses a script with a field it does not know', () => {
  expect(() => createScriptedModel({ steps: [{ txt: 'x' } as never] })).toThrow(
    'script test: steps.0: Unrecognized key: "txt"',
  );
});
