import { expect, onTestFinished, test } from 'vitest';
import {
  answers,
  openProviderServer,
  type Respond,
} from '../../../test/support/provider-server.ts';
import { systemClock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { EmbeddingService } from './embedding-service.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';

const NEVER = new AbortController().signal;
const KEY = { value: 'sk-secret-1', place: 'OPENAI_API_KEY' };

async function openEmbedder(service: Partial<EmbeddingService>, ...responders: Respond[]) {
  const server = await openProviderServer(...responders);
  onTestFinished(() => server.close());
  const embedder = createRemoteEmbedder({
    service: {
      provider: 'openai',
      modelName: 'small',
      baseUrl: server.url,
      findKey: async () => KEY,
      ...service,
    },
    timeoutMs: 2_000,
    assertMayCall: async () => {},
    clock: systemClock,
    // No waiting: the shortest delay there is.
    random: () => 0,
  });
  return { server, embedder };
}

const inOrder = (...vectors: number[][]) =>
  answers(200, { data: vectors.map((embedding, index) => ({ index, embedding })) });

test('OpenAI: one request for many texts, vectors by their index and of length 1', async () => {
  const { server, embedder } = await openEmbedder(
    {},
    answers(200, {
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [3, 4] },
      ],
    }),
  );

  const vectors = await embedder.embed(['a', 'b'], 'document', NEVER);

  expect(embedder.model).toBe('openai/small');
  expect(vectors).toEqual([Float32Array.of(0.6, 0.8), Float32Array.of(0, 1)]);
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/embeddings',
      headers: { authorization: 'Bearer sk-secret-1' },
      body: { model: 'small', input: ['a', 'b'], encoding_format: 'float' },
    },
  ]);
});

test('Ollama: without a key, with the task where the model wants it', async () => {
  const { server, embedder } = await openEmbedder(
    { provider: 'ollama', modelName: 'nomic-embed-text', findKey: async () => undefined },
    answers(200, { embeddings: [[1, 0]] }),
  );

  expect(await embedder.embed(['who?'], 'query', NEVER)).toEqual([Float32Array.of(1, 0)]);
  expect(server.requests[0]).toMatchObject({
    path: '/api/embed',
    body: { model: 'nomic-embed-text', input: ['search_query: who?'] },
  });
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('Google: a batch with the kind of each text', async () => {
  const { server, embedder } = await openEmbedder(
    { provider: 'google', modelName: 'gemini-embedding-001' },
    answers(200, { embeddings: [{ values: [0, 1] }] }),
  );

  expect(await embedder.embed(['a'], 'query', NEVER)).toEqual([Float32Array.of(0, 1)]);
  expect(server.requests).toMatchObject([
    {
      path: '/models/gemini-embedding-001:batchEmbedContents',
      headers: { 'x-goog-api-key': 'sk-secret-1' },
      body: {
        requests: [
          {
            model: 'models/gemini-embedding-001',
            content: { parts: [{ text: 'a' }] },
            taskType: 'RETRIEVAL_QUERY',
          },
        ],
      },
    },
  ]);
});

test('more texts than a request takes are several requests', async () => {
  const respond: Respond = (response, { body }) => {
    const { input } = body as { input: string[] };
    const data = input.map((text, index) => ({ index, embedding: [Number(text), 1] }));
    answers(200, { data })(response, { method: '', path: '', headers: {}, body });
  };
  const { server, embedder } = await openEmbedder({}, respond);
  const texts = Array.from({ length: 300 }, (_, index) => String(index));

  const vectors = await embedder.embed(texts, 'document', NEVER);

  expect(server.requests).toHaveLength(3);
  expect(vectors.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual(texts.map(Number));
});

test('what may pass is tried again, and a wish to wait is heard', async () => {
  const { server, embedder } = await openEmbedder(
    {},
    answers(429, { error: { message: 'slow down' } }, { 'retry-after-ms': '1' }),
    answers(503, {}),
    inOrder([1, 0]),
  );

  expect(await embedder.embed(['a'], 'document', NEVER)).toHaveLength(1);
  expect(server.requests).toHaveLength(3);
});

test.each([
  [
    401,
    { error: { message: 'bad key sk-secret-1' } },
    'provider_misconfigured',
    'the embedding model openai/small refused the key in OPENAI_API_KEY (HTTP 401): bad key [key]',
  ],
  [
    404,
    { error: 'no' },
    'provider_misconfigured',
    /was not found at .*: check memory.embedding.model/,
  ],
  [
    400,
    { error: { message: 'too long' } },
    'provider_failed',
    'the embedding model openai/small answered HTTP 400: too long',
  ],
  [
    200,
    { data: [] },
    'provider_failed',
    'the embedding model openai/small sent 0 vectors for 1 texts',
  ],
  [
    200,
    { hello: 1 },
    'provider_failed',
    'the embedding model openai/small sent no vectors for 1 texts',
  ],
  [200, { data: [{ index: 0, embedding: ['x'] }] }, 'provider_failed', /not a list of numbers/],
])('%i %j is %s, asked once', async (status, body, code, message) => {
  const { server, embedder } = await openEmbedder({}, answers(status, body));

  await expect(embedder.embed(['a'], 'document', NEVER)).rejects.toMatchObject({
    code,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    retryable: false,
  });
  expect(server.requests).toHaveLength(1);
});

test('a vector of another length than the first is a fault of the provider', async () => {
  const { embedder } = await openEmbedder({}, inOrder([1, 0]), inOrder([1, 0, 0]));
  await embedder.embed(['a'], 'document', NEVER);

  await expect(embedder.embed(['b'], 'query', NEVER)).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('a vector of 3 numbers after one of 2'),
    details: { expected: 2, received: 3 },
  });
});

test('nobody there, and nobody answering in time, are told with what to do', async () => {
  const gone = await openEmbedder({ provider: 'ollama' }, answers(200, {}));
  await gone.server.close();
  await expect(gone.embedder.embed(['a'], 'query', NEVER)).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringMatching(/cannot be reached at .*\(ECONNREFUSED\): start it with ollama/),
    retryable: true,
  });

  const slow = createRemoteEmbedder({
    service: {
      provider: 'openai',
      modelName: 'small',
      baseUrl: (await openEmbedder({}, () => {})).server.url,
      findKey: async () => undefined,
    },
    timeoutMs: 50,
    assertMayCall: async () => {},
    clock: systemClock,
    random: () => 0,
  });
  await expect(slow.embed(['a'], 'query', NEVER)).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('did not answer within'),
  });
});

test('a redirect is not followed: the key stays', async () => {
  const { server, embedder } = await openEmbedder({}, (response) => {
    response.writeHead(307, { location: '/elsewhere' });
    response.end();
  });

  await expect(embedder.embed(['a'], 'query', NEVER)).rejects.toMatchObject({
    code: 'provider_failed',
  });
  expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere');
});

test('a request that is given up ends with the reason it was given', async () => {
  const { embedder } = await openEmbedder({}, () => {});
  const abort = new AbortController();

  const given = embedder.embed(['a'], 'query', abort.signal);
  abort.abort(new Error('no longer needed'));

  await expect(given).rejects.toThrow('no longer needed');
});

test('nobody is asked while everything is stopped, also not once more', async () => {
  const server = await openProviderServer(answers(503, {}));
  onTestFinished(() => server.close());
  let asked = 0;
  const embedder = createRemoteEmbedder({
    service: {
      provider: 'openai',
      modelName: 'small',
      baseUrl: server.url,
      findKey: async () => KEY,
    },
    timeoutMs: 2_000,
    async assertMayCall() {
      asked += 1;
      if (asked > 1) throw new RuntimeError('shutting_down', 'stopped', { retryable: false });
    },
    clock: systemClock,
    random: () => 0,
  });

  await expect(embedder.embed(['a'], 'document', NEVER)).rejects.toThrow('stopped');

  expect(server.requests).toHaveLength(1);
});
