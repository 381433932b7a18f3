import { request } from 'node:http';
import { expect, test } from 'vitest';
import { RuntimeError } from '../../../src/core/errors.ts';
import type { RunId } from '../../../src/core/ids.ts';
import type { Model, ModelPart } from '../../../src/core/loop/model.ts';
import { TOKEN } from '../v1/http-client.ts';
import { openOpenAiServer, parseStream } from './test-openai-server.ts';

const PATH = '/v1/chat/completions';
const ASK = { model: 'agent/pincer', messages: [{ role: 'user', content: 'Hi' }] };
const STREAM = { ...ASK, stream: true };
const KEY = { 'idempotency-key': 'call-1' };

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

function readText(stream: string): string {
  return toText(parseStream(stream));
}

function toText(frames: readonly { readonly data: unknown }[]): string {
  return frames.map(({ data }) => (data as Chunk).choices?.[0]?.delta.content ?? '').join('');
}

/** Says these texts, one for each attempt; each but the last breaks off. */
function createFickleModel(...texts: readonly (readonly string[])[]): Model {
  let attempts = 0;
  async function* stream(): AsyncGenerator<ModelPart> {
    const deltas = texts[attempts] ?? [];
    attempts += 1;
    for (const delta of deltas) {
      // Longer than a batch waits: each piece is an event of its own.
      yield { type: 'text', delta: delta.padEnd(2_000, ' ') };
    }
    if (attempts < texts.length) {
      throw new RuntimeError('provider_failed', 'broke off', {
        retryable: true,
        details: { retryAfterMs: 1 },
      });
    }
    const usage = { inputTokens: 1, outputTokens: 1 };
    yield { type: 'finish', reason: 'stop', usage };
  }
  return { provider: 'scripted', name: 'fickle', toolCalls: 'native', stream };
}

test('the same call again gives the same answer, whole or streamed, and asks no model', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Once.' }] });

  const first = await server.post(PATH, ASK, { headers: KEY });
  const again = await server.post(PATH, ASK, { headers: KEY });
  const streamed = await server.post(PATH, STREAM, { headers: KEY });

  expect(again.body).toEqual(first.body);
  expect(again.headers['x-run-id']).toBe(first.headers['x-run-id']);
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(readText(streamed.text)).toBe('Once.');
  expect(server.requests).toHaveLength(1);
});

test('another call under the same key is a conflict', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Once.' }] });

  await server.post(PATH, ASK, { headers: KEY });
  const other = await server.post(PATH, { ...ASK, temperature: 1 }, { headers: KEY });

  expect(other.status).toBe(409);
  expect(other.body).toEqual({
    error: {
      message: 'idempotency key was used for another request',
      type: 'invalid_request_error',
      param: null,
      code: 'conflict',
    },
  });
});

test('a stream goes on after every place that a reader may have reached', async () => {
  const model = createFickleModel(['a', 'b', 'c']);
  const server = await openOpenAiServer({ steps: [] }, { model });
  const { text } = await server.post(PATH, STREAM, { headers: KEY });
  const frames = parseStream(text);
  const places = frames.flatMap(({ id }) => id ?? []);

  expect(places.length).toBeGreaterThan(3);
  for (const place of places) {
    const headers = { ...KEY, 'last-event-id': String(place) };
    const rest = await server.post(PATH, STREAM, { headers });
    const before = frames.slice(0, frames.findIndex(({ id }) => id === place) + 1);
    expect(toText(before) + readText(rest.text)).toBe(readText(text));
    expect(parseStream(rest.text).at(-1)?.data).toBe('[DONE]');
  }
});

test('a client that goes away does not lose the answer', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = await openOpenAiServer({ steps: [{ text: 'Late.' }] }, { gates: { 0: gate } });
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...KEY };
  const leaving = request(`${server.url}${PATH}`, { method: 'POST', headers });
  leaving.on('error', () => {});
  leaving.end(JSON.stringify(ASK));
  await expect.poll(() => server.requests.length).toBe(1);

  leaving.destroy();
  open();
  const { body } = await server.post(PATH, ASK, { headers: KEY });

  expect(body).toMatchObject({ choices: [{ message: { content: 'Late.' } }] });
  expect(server.requests).toHaveLength(1);
});

test('a model that begins anew with the same words is heard once', async () => {
  const model = createFickleModel(['a', 'b'], ['a', 'b', 'c']);
  const server = await openOpenAiServer({ steps: [] }, { model });

  const { text } = await server.post(PATH, STREAM);

  expect(readText(text).replaceAll(' ', '')).toBe('abc');
  expect(text).toContain('[DONE]');
});

test('a model that begins anew with other words: the stream says so, and the call again is whole', async () => {
  const model = createFickleModel(['a', 'b'], ['x', 'y']);
  const server = await openOpenAiServer({ steps: [] }, { model });

  const { text } = await server.post(PATH, STREAM, { headers: KEY });
  const again = await server.post(PATH, STREAM, { headers: KEY });

  expect(parseStream(text).at(-1)?.data).toEqual({
    error: {
      message:
        'the model began its answer anew and says something else: send the call again, with its Idempotency-Key and without Last-Event-ID',
      type: 'invalid_request_error',
      param: null,
      code: 'conflict',
    },
  });
  expect(text).not.toContain('[DONE]');
  expect(readText(again.text).replaceAll(' ', '')).toBe('xy');
});

test('a run that fails is an error with its run, which clients do not try again by themselves', async () => {
  const error = { status: 400, message: 'no such model' };
  const server = await openOpenAiServer({ steps: [{ error }] });

  const whole = await server.post(PATH, ASK);
  const streamed = await server.post(PATH, STREAM);

  const fault = {
    error: { message: 'no such model', type: 'server_error', param: null, code: 'provider_failed' },
  };
  expect(whole.status).toBe(502);
  expect(whole.body).toEqual(fault);
  expect(whole.headers['x-should-retry']).toBe('false');
  expect(whole.headers['x-run-id']).toMatch(/^run_/);
  expect(parseStream(streamed.text).at(-1)?.data).toEqual(fault);
});

test('a run that is cancelled ends the call', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Half', hang: true }] });
  const answering = server.post(PATH, ASK);
  await expect.poll(() => server.requests.length).toBe(1);
  const { runs } = await server.runtime.runs.list({ limit: 1 });

  const runId = runs[0]?.id as RunId;
  await server.runtime.runs.cancel({ runId, reason: 'enough', actor: 'operator' });

  const { status, body } = await answering;
  expect(status).toBe(409);
  expect(body).toMatchObject({ error: { code: 'cancelled' } });
});

test('a place in a stream without the key of its call is refused', async () => {
  const server = await openOpenAiServer({ steps: [] });

  const { status, body } = await server.post(PATH, STREAM, { headers: { 'last-event-id': '3' } });

  expect(status).toBe(400);
  expect(body).toEqual({
    error: {
      message: 'last-event-id needs the Idempotency-Key of the call whose stream broke off',
      type: 'invalid_request_error',
      param: 'last-event-id',
      code: 'invalid_value',
    },
  });
});
