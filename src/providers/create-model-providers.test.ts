import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import {
  openProviderServer,
  type ProviderServer,
  type Respond,
} from '../../test/support/provider-server.ts';
import { createModelProviders } from './create-model-providers.ts';
import type { ModelsConfig } from './models-config.ts';

const KEY = 'sk-test-0123456789abcdef';
let server: ProviderServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const answers =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end('{"data":[]}');

async function openProviders(respond: Respond, keys: ModelsConfig['keys'] = {}, maxWaitMs = 5_000) {
  const opened = await openProviderServer(respond);
  server = opened;
  const { url } = opened;
  const baseUrls = { openai: url, anthropic: url, openrouter: url, ollama: url };
  const config = { keys, baseUrls: { ...baseUrls, openaiCompatible: url } };
  const clock = new ManualClock();
  const providers = createModelProviders({ config: () => config, clock, maxWaitMs });
  return { providers, requests: opened.requests, url };
}

test.each([
  ['openai', '/models', { authorization: `Bearer ${KEY}` }],
  ['anthropic', '/v1/models', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' }],
  ['openrouter', '/key', { authorization: `Bearer ${KEY}` }],
  ['openai-compatible', '/models', { authorization: `Bearer ${KEY}` }],
] as const)(
  'asks %s for something that needs the key and spends nothing',
  async (id, path, sent) => {
    const keys = { openai: KEY, anthropic: KEY, openrouter: KEY, openaiCompatible: KEY };
    const { providers, requests } = await openProviders(answers(200), keys);

    const answer = await providers.test(id);

    expect(answer).toMatchObject({ id, status: 'connected', check: { httpStatus: 200 } });
    // Servers of all sorts show their models to everybody.
    const what =
      id === 'openai-compatible'
        ? 'lists its models; whether it takes the key shows with the first run'
        : 'takes the key';
    expect(answer.message).toBe(`${id} answered 200 and ${what}`);
    expect(requests).toMatchObject([{ method: 'GET', path, headers: sent }]);
  },
);

test('a local server without a key is asked without one', async () => {
  const { providers, requests } = await openProviders(answers(200));

  const { message } = await providers.test('ollama');

  expect(message).toBe('ollama answered 200 and lists its models');
  expect(requests[0]?.headers).not.toHaveProperty('authorization');
});

test.each([
  [401, 'put a valid key into OPENAI_API_KEY'],
  [403, 'put a valid key into OPENAI_API_KEY'],
  [429, 'try later'],
  [503, 'try later'],
  [404, 'check that its API is at http://127.0.0.1'],
])('an answer of %i is told with the next step, and without the key', async (status, next) => {
  const { providers } = await openProviders(answers(status), { openai: KEY });

  const answer = await providers.test('openai');

  expect(answer).toMatchObject({ status: 'review', check: { httpStatus: status } });
  expect(answer.message).toContain(next);
  expect(JSON.stringify(answer)).not.toContain(KEY);
});

test.each([
  [
    'openai-compatible',
    401,
    'it wants a key: set OPENAI_COMPAT_API_KEY, or store it with claw secrets set provider/openai-compatible/api_key',
  ],
  ['ollama', 401, 'it wants a key, and is asked without one'],
  ['ollama', 429, 'ollama answered 429: it was asked too often; try later'],
] as const)('%s without a key is told what to do after %i', async (id, status, next) => {
  const { providers } = await openProviders(answers(status));

  const { message } = await providers.test(id);

  expect(message).toContain(next);
});

test('a server that does not answer is not waited for, and no setting is blamed', async () => {
  const { providers, url } = await openProviders(() => {}, {}, 50);

  const answer = await providers.test('ollama');

  expect(answer).toMatchObject({ status: 'review', check: { httpStatus: undefined } });
  expect(answer.message).toBe(
    `ollama at ${url} gave no answer within 50 ms: check that it is up and not overloaded`,
  );
});

test('the key does not go where an answer leads', async () => {
  const { providers, requests } = await openProviders(answers(302, { location: '/elsewhere' }), {
    openai: KEY,
  });

  const answer = await providers.test('openai');

  expect(answer).toMatchObject({ status: 'review', check: { httpStatus: 302 } });
  expect(requests).toHaveLength(1);
});

test('a server that is gone is told with where it was looked for', async () => {
  const { providers, url } = await openProviders(answers(200));
  await server?.close();

  const answer = await providers.test('ollama');

  expect(answer).toMatchObject({ status: 'review', check: { httpStatus: undefined } });
  expect(answer.message).toBe(
    `ollama cannot be reached at ${url} (ECONNREFUSED): start it with ollama serve, or set OLLAMA_HOST`,
  );
});
