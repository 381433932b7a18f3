import { expect, test } from 'vitest';
import { resolveEndpoint } from './endpoint.ts';

test.each([
  [undefined, 'http://127.0.0.1:11434/v1'],
  ['http://models.example', 'http://models.example/v1'],
  ['https://models.example/ollama/', 'https://models.example/ollama/v1'],
])('reaches an Ollama at %j by its chat completions', async (ollama, baseUrl) => {
  const endpoint = await resolveEndpoint('ollama', { baseUrls: { ollama } });

  expect(endpoint.baseUrl).toBe(baseUrl);
});

test.each([
  [undefined, 'https://api.anthropic.com/v1'],
  ['http://127.0.0.1:9', 'http://127.0.0.1:9/v1'],
  ['http://127.0.0.1:9/v1/', 'http://127.0.0.1:9/v1'],
])('takes ANTHROPIC_BASE_URL %j with and without its version', async (anthropic, baseUrl) => {
  const config = { keys: { anthropic: 'k' }, baseUrls: { anthropic } };

  expect(await resolveEndpoint('anthropic', config)).toEqual({
    provider: 'anthropic',
    baseUrl,
    key: 'k',
    keyVariable: 'ANTHROPIC_API_KEY',
    keyPlace: 'ANTHROPIC_API_KEY',
  });
});

test('needs no key for an openai-compatible server', async () => {
  const config = { baseUrls: { openaiCompatible: 'http://127.0.0.1:8000/v1' } };

  expect(await resolveEndpoint('openai-compatible', config)).toEqual({
    provider: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8000/v1',
    key: undefined,
    keyVariable: 'OPENAI_COMPAT_API_KEY',
    keyPlace: undefined,
  });
});
