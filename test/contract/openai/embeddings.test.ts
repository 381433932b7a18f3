import { expect, test } from 'vitest';
import { openOpenAiServer } from './test-openai-server.ts';

const PATH = '/v1/embeddings';
const MODEL = 'local/use-lite';
const NOTHING = { steps: [] };

interface Embeddings {
  readonly data: readonly { readonly embedding: readonly number[] | string }[];
}

test('gives one vector for each text, as numbers or as bytes', async () => {
  const server = await openOpenAiServer(NOTHING);
  const input = ['a cat', 'a dog'];

  const numbers = await server.post(PATH, { model: MODEL, input });
  const bytes = await server.post(PATH, { model: 'use-lite', input, encoding_format: 'base64' });

  const vectors = (numbers.body as Embeddings).data.map(({ embedding }) => embedding as number[]);
  expect(numbers.status).toBe(200);
  expect(numbers.body).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: vectors[0] },
      { object: 'embedding', index: 1, embedding: vectors[1] },
    ],
    model: MODEL,
    usage: { prompt_tokens: 0, total_tokens: 0 },
  });
  expect(vectors.map(({ length }) => length)).toEqual([512, 512]);
  expect(vectors.map((one) => Math.hypot(...one).toFixed(3))).toEqual(['1.000', '1.000']);
  const decoded = (bytes.body as Embeddings).data.map(({ embedding }) => decode(String(embedding)));
  expect(decoded).toEqual(vectors);
});

function decode(base64: string): number[] {
  const raw = Buffer.from(base64, 'base64');
  return Array.from({ length: raw.length / 4 }, (_, index) => raw.readFloatLE(index * 4));
}

test.each([
  ['an empty text', { input: '' }, 'input', 'invalid_value'],
  ['no text', { input: [] }, 'input', 'invalid_value'],
  ['an empty text among others', { input: ['a', ''] }, 'input[1]', 'invalid_value'],
  ['tokens', { input: [1, 2, 3] }, 'input[0]', 'unsupported_parameter'],
  ['lists of tokens', { input: [[1], [2]] }, 'input[0]', 'unsupported_parameter'],
  ['half a character', { input: '\ud800' }, 'input', 'invalid_value'],
  ['nothing', {}, 'input', 'invalid_value'],
  ['other dimensions', { input: 'a', dimensions: 7 }, 'dimensions', 'unsupported_parameter'],
  ['another encoding', { input: 'a', encoding_format: 'hex' }, 'encoding_format', 'invalid_value'],
])('refuses %s', async (_, more, param, code) => {
  const server = await openOpenAiServer(NOTHING);

  const { status, body } = await server.post(PATH, { model: MODEL, ...more });

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', param, code } });
});

test('knows no other model', async () => {
  const server = await openOpenAiServer(NOTHING);

  const { status, body } = await server.post(PATH, { model: 'text-embedding-3-small', input: 'a' });

  expect(status).toBe(404);
  expect(body).toMatchObject({ error: { code: 'model_not_found', param: 'model' } });
});

test('says what to set when no embedder is configured', async () => {
  const config = { memory: { embedding: { provider: 'none' } } };
  const server = await openOpenAiServer(NOTHING, { config });

  const { status, body } = await server.post(PATH, { model: MODEL, input: 'a' });

  expect(status).toBe(503);
  expect(body).toMatchObject({ error: { code: 'provider_misconfigured' } });
});
