import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { asCalled } from '../../core/tools/tool.ts';
import { createHttpRequest } from './http-request.ts';

const tool = createHttpRequest({
  config: {
    enabled: true,
    allowedDomains: ['site.example'],
    allowLocalhosts: false,
    keyDomains: ['keys.example'],
  },
});

test.each<[JsonObject, object]>([
  [{ url: 'https://site.example' }, { effect: 'read', idempotent: true, sendsKey: false }],
  [
    { uri: 'https://keys.example', method: 'POST' },
    { effect: 'write', sendsKey: true },
  ],
  [{ url: 'https://site.example', method: ' get ' }, { effect: 'read' }],
  [
    { url: 'https://site.example', method: 'post' },
    { effect: 'write', idempotent: false },
  ],
  [
    { url: 'https://site.example', method: 'PURGE' },
    { effect: 'write', idempotent: false },
  ],
])('%j is told by what will be sent', (input, nature) => {
  expect(asCalled(tool, input)).toMatchObject(nature);
});

test('a request that carries a secret counts as one that deals with secret data', () => {
  const headers = { authorization: 'Bearer {{secret:API_KEY}}' };

  const traits = (input: JsonObject) =>
    asCalled(tool, { url: 'https://a.example', ...input }).traits;

  expect(traits({})).toEqual(['untrusted_input', 'outward_effect']);
  expect(traits({ headers })).toEqual(['untrusted_input', 'outward_effect', 'secret_data']);
  expect(traits({ headers: { 'x-key': '{{ secret:API_KEY }}' } })).toContain('secret_data');
});
