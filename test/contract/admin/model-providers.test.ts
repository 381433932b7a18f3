import { expect, test } from 'vitest';
import { openAdminServer } from './test-admin-server.ts';

const PROVIDERS = '/api/admin/model-providers';

test('lists providers, where their keys are and what is missing, but no key', async () => {
  const server = await openAdminServer();

  const answer = await server.call(PROVIDERS);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    providers: [
      {
        id: 'openai',
        origin: null,
        key_place: null,
        missing:
          'openai needs a key: set OPENAI_API_KEY, or store it with claw secrets set provider/openai/api_key',
      },
      {
        id: 'anthropic',
        origin: 'https://api.anthropic.com',
        key_place: 'ANTHROPIC_API_KEY',
        missing: null,
      },
      {
        id: 'openrouter',
        origin: null,
        key_place: null,
        missing:
          'openrouter needs a key: set OPENROUTER_API_KEY, or store it with claw secrets set provider/openrouter/api_key',
      },
      {
        id: 'openai-compatible',
        origin: null,
        key_place: null,
        missing:
          'openai-compatible needs an address: set OPENAI_COMPAT_BASE_URL, as in http://127.0.0.1:8000/v1',
      },
      { id: 'ollama', origin: 'http://127.0.0.1:11434', key_place: null, missing: null },
    ],
  });
});

test('a provider that is not set up is not asked', async () => {
  const server = await openAdminServer();

  const answer = await server.call(`${PROVIDERS}/openai/test`, { method: 'POST' });

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    id: 'openai',
    status: 'disconnected',
    message: expect.stringContaining('OPENAI_API_KEY'),
    checked_at: null,
    duration_ms: null,
    http_status: null,
  });
});

test('a provider that nobody knows is refused', async () => {
  const server = await openAdminServer();

  const answer = await server.call(`${PROVIDERS}/skynet/test`, { method: 'POST' });

  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { code: 'invalid.request' } });
});
