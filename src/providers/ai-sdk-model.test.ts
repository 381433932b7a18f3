import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import {
  answers,
  chatDelta,
  openProviderServer,
  streams,
  toChatStream,
} from '../../test/support/provider-server.ts';
import {
  ASK,
  CASES,
  CHAT_TEXT,
  collectParts,
  MESSAGE_CALLS,
  openServedModel,
  PROVIDERS,
} from '../../test/support/served-model.ts';
import type { ModelPart } from '../core/loop/model.ts';
import { createModels } from './open-models.ts';

describe.each(PROVIDERS)('%s', (provider) => {
  test('streams text and calls whose arguments come in pieces, then usage', async () => {
    const { model, server } = await openServedModel(provider, [streams(CASES[provider].calls)]);

    const { parts, error } = await collectParts(model);

    expect(error).toBeUndefined();
    const second = {
      type: 'tool_call',
      call: { callId: 'c2', tool: 'fs.read', input: { path: 'b' } },
    };
    expect(parts).toEqual([
      { type: 'text', delta: 'Looking.' },
      {
        type: 'tool_call',
        call: {
          callId: provider === 'anthropic' ? 't1' : 'c1',
          tool: 'fs.read',
          input: { path: 'a é' },
        },
      },
      ...(provider === 'anthropic' ? [] : [second]),
      {
        type: 'finish',
        reason: 'tool_calls',
        usage:
          provider === 'anthropic'
            ? { inputTokens: 40, outputTokens: 12, cachedInputTokens: 10 }
            : { inputTokens: 20, outputTokens: 9, cachedInputTokens: 0 },
      },
    ]);
    expect(server.requests.map((request) => request.path)).toEqual([CASES[provider].path]);
  });

  test('sends the trace of the run', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
    const { model, server } = await openServedModel(provider, [streams(CASES[provider].calls)]);

    await collectParts(model, { ...ASK, trace: { traceparent } });

    expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual([traceparent]);
  });

  test('closes the connection when the caller aborts in the middle', async () => {
    let closed: Promise<unknown> | undefined;
    const half = CASES[provider].calls.slice(0, CASES[provider].calls.indexOf('Looking.') + 200);
    const { model } = await openServedModel(provider, [
      (response) => {
        closed = once(response, 'close');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(half);
      },
    ]);
    const controller = new AbortController();
    const parts: ModelPart[] = [];
    const reading = (async () => {
      for await (const part of model.stream(ASK, controller.signal)) {
        parts.push(part);
        controller.abort();
      }
    })();

    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });

    await closed;
    expect(parts).toEqual([{ type: 'text', delta: 'Looking.' }]);
  });

  test('closes the connection when the reader stops reading', async () => {
    let closed: Promise<unknown> | undefined;
    const half = CASES[provider].calls.slice(0, CASES[provider].calls.indexOf('Looking.') + 200);
    const { model } = await openServedModel(provider, [
      (response) => {
        closed = once(response, 'close');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(half);
      },
    ]);

    for await (const part of model.stream(ASK, new AbortController().signal)) {
      expect(part).toEqual({ type: 'text', delta: 'Looking.' });
      break;
    }

    await closed;
  });
});

test('leaves no timer behind, however the stream ends', async () => {
  const clock = new ManualClock();
  const server = await openProviderServer(streams(CHAT_TEXT), answers(500, {}), streams(CHAT_TEXT));
  onTestFinished(() => server.close());
  const config = { keys: { openai: 'k' }, baseUrls: { openai: `${server.url}/v1` } };
  const model = await createModels(config, clock).get('openai/x');

  const whole = await collectParts(model);
  const failed = await collectParts(model);
  for await (const _part of model.stream(ASK, new AbortController().signal)) break;

  expect([whole.error?.code, failed.error?.code]).toEqual([undefined, 'provider_failed']);
  expect(clock.pendingTimers).toBe(0);
});

test('keeps characters whole that arrive byte by byte', async () => {
  const bytes = Buffer.from(CHAT_TEXT);
  const { model } = await openServedModel('openai', [
    async (response) => {
      response.socket?.setNoDelay(true);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of bytes) {
        await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => resolve()));
      }
      response.end();
    },
  ]);

  const { parts } = await collectParts(model);

  // How many deltas they are depends on what arrived together.
  const said = parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
  expect(said).toBe('Grüße 😀!');
  expect(parts.at(-1)).toEqual({
    type: 'finish',
    reason: 'stop',
    usage: { inputTokens: 11, outputTokens: 5, cachedInputTokens: 3 },
  });
});

const HIGH = '\uD83D';
const LOW = '\uDE00';

test('joins a character that the provider split over two deltas', async () => {
  const { model } = await openServedModel('openai', [
    streams(
      toChatStream([
        // Not joined with the next: it says more than words.
        chatDelta({ role: 'assistant', content: `a${HIGH}` }),
        chatDelta({ content: `${LOW}b` }),
        chatDelta({}, 'stop'),
      ]),
    ),
  ]);

  const { parts } = await collectParts(model);

  expect(parts).toEqual([
    { type: 'text', delta: 'a' },
    { type: 'text', delta: '😀b' },
    { type: 'finish', reason: 'stop', usage: { inputTokens: null, outputTokens: null } },
  ]);
});

test.each([
  ['"a.txt"', 'tool_calls'],
  ['{"path": "a', 'tool_calls'],
  ['[]', 'stop'],
])('hands on a call with the arguments %s as one that can not be read', async (args, finish) => {
  const { model } = await openServedModel('openai', [
    streams(
      toChatStream([
        chatDelta({
          tool_calls: [
            {
              index: 0,
              id: 'c',
              type: 'function',
              function: { name: 'fs__read', arguments: args },
            },
          ],
        }),
        chatDelta({}, finish),
      ]),
    ),
  ]);

  const { parts, error } = await collectParts(model);

  expect(error).toBeUndefined();
  expect(parts).toEqual([
    { type: 'tool_call', call: { callId: 'c', tool: 'fs.read', input: {}, malformed: args } },
    { type: 'finish', reason: 'tool_calls', usage: { inputTokens: null, outputTokens: null } },
  ]);
});

test('does not act on a call that the output limit cut short, even if it looks whole', async () => {
  const { model } = await openServedModel('anthropic', [
    streams(
      MESSAGE_CALLS.replace(
        /event: content_block_delta\ndata: [^\n]*input_json[^\n]*\n\n/g,
        '',
      ).replace('tool_use"},"usage', 'max_tokens"},"usage'),
    ),
  ]);

  const { parts, error } = await collectParts(model);

  expect(error).toBeUndefined();
  expect(parts).toEqual([
    { type: 'text', delta: 'Looking.' },
    {
      type: 'finish',
      reason: 'length',
      usage: { inputTokens: 40, outputTokens: 12, cachedInputTokens: 10 },
    },
  ]);
});

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
])('reports the finish reason %s', async (wire, reason) => {
  const { model } = await openServedModel('openai', [
    streams(toChatStream([chatDelta({ content: 'x' }), chatDelta({}, wire)])),
  ]);

  const { parts } = await collectParts(model);

  expect(parts.at(-1)).toEqual({
    type: 'finish',
    reason,
    // It did not say, which is not the same as none.
    usage: { inputTokens: null, outputTokens: null },
  });
});
