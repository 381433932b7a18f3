import { expect, test } from 'vitest';
import { z } from 'zod';
import { DEFAULT_TOOL_LIMITS, defineTool } from '../../../src/core/tools/tool.ts';
import { openForAll } from '../../support/at-end.ts';
import type { Answer } from '../v1/http-client.ts';
import { openOpenAiServer } from './test-openai-server.ts';

const OWN_TOOL = defineTool({
  name: 'own_tool',
  description: 'One of ours.',
  input: z.object({}),
  effect: 'read',
  idempotent: true,
  limits: DEFAULT_TOOL_LIMITS,
  execute: async () => ({}),
});
const NOTHING = { steps: [] };
const CHAT = '/v1/chat/completions';
const ASK = { model: 'agent/pincer', messages: [{ role: 'user', content: 'Hi' }] };
const PATHS = [CHAT, '/v1/responses', '/v1/models', '/v1/embeddings'];
const INVALID = 'invalid_request_error';

const refusing = openForAll(() => openOpenAiServer(NOTHING));

interface Fault {
  readonly message: string;
}

function expectFault({ status, body }: Answer, wanted: number, fault: object): void {
  expect(status).toBe(wanted);
  expect(body).toEqual({ error: { message: expect.any(String), ...fault } });
  expect((body as { error: Fault }).error.message).not.toBe('');
}

test.each(PATHS)('%s fails in the words of OpenAI, whatever is wrong', async (path) => {
  const server = refusing();
  const method = path === '/v1/models' ? 'GET' : 'POST';

  const anonymous = await server.call(path, { method, anonymous: true });
  const wrong = await server.call(path, { method, headers: { authorization: 'Bearer no' } });
  const removed = await server.call(path, { method: 'DELETE' });
  const deeper = await server.call(`${path}/deeper`);

  const key = { type: INVALID, param: null, code: 'invalid_api_key' };
  expectFault(anonymous, 401, key);
  expectFault(wrong, 401, key);
  expect(wrong.headers['www-authenticate']).toBe('Bearer realm="pincer"');
  expectFault(removed, 405, { type: INVALID, param: null, code: 'method_not_allowed' });
  expect(removed.headers['allow']).toContain(method);
  expectFault(deeper, 404, { type: INVALID, param: null, code: 'route_not_found' });
});

test('paths beside them keep the words of /v1', async () => {
  const server = refusing();

  const answers = await Promise.all(
    ['/v1/chat', '/v1/modelsx', '/v1/chat/completionsx', '/v1/runs/run_none'].map((path) =>
      server.call(path),
    ),
  );

  expect(answers.map(({ body }) => (body as { error: { code: string } }).error.code)).toEqual([
    'route.not_found',
    'route.not_found',
    'route.not_found',
    'run.not_found',
  ]);
});

test.each([CHAT, '/v1/responses', '/v1/embeddings'])('%s refuses bodies', async (path) => {
  const server = refusing();

  const broken = await server.post(path, '{"model": ');
  const none = await server.call(path, { method: 'POST' });
  const list = await server.post(path, []);
  const text = await server.post(path, 'x', { headers: { 'content-type': 'text/plain' } });
  const large = await server.post(path, `"${'x'.repeat(8 * 1024 * 1024)}"`);

  const invalid = { type: INVALID, param: null, code: 'invalid_value' };
  expectFault(broken, 400, invalid);
  expectFault(none, 400, invalid);
  expectFault(list, 400, invalid);
  expectFault(text, 415, { type: INVALID, param: null, code: 'unsupported_media_type' });
  expectFault(large, 413, { type: INVALID, param: null, code: 'request_too_large' });
});

const UNSUPPORTED = 'unsupported_parameter';
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

test.each<[string, object, string, string]>([
  ['n', { n: 2 }, 'n', UNSUPPORTED],
  ['logprobs', { logprobs: true }, 'logprobs', UNSUPPORTED],
  ['top_logprobs', { top_logprobs: 3 }, 'top_logprobs', UNSUPPORTED],
  ['logit_bias', { logit_bias: { 5: 1 } }, 'logit_bias', UNSUPPORTED],
  ['audio', { audio: { voice: 'x' } }, 'audio', UNSUPPORTED],
  ['modalities', { modalities: ['text', 'audio'] }, 'modalities', UNSUPPORTED],
  ['functions', { functions: [{ name: 'f' }] }, 'functions', UNSUPPORTED],
  ['function_call', { function_call: 'auto' }, 'function_call', UNSUPPORTED],
  ['web search', { web_search_options: {} }, 'web_search_options', UNSUPPORTED],
  ['a tool of OpenAI', { tools: [{ type: 'custom' }] }, 'tools[0].type', UNSUPPORTED],
  [
    'an image',
    user([{ type: 'image_url', image_url: { url: 'x' } }]),
    'messages[0].content[0]',
    UNSUPPORTED,
  ],
  ['a grammar', { response_format: { type: 'grammar' } }, 'response_format.type', UNSUPPORTED],
  ['no messages', { messages: [] }, 'messages', 'invalid_value'],
  [
    'only the system',
    { messages: [{ role: 'system', content: 'x' }] },
    'messages',
    'invalid_value',
  ],
  [
    'an unknown role',
    { messages: [{ role: 'king', content: 'x' }] },
    'messages.0.role',
    'invalid_value',
  ],
  ['no content', { messages: [{ role: 'user' }] }, 'messages[0].content', 'invalid_value'],
  ['a number', user(5), 'messages[0].content', 'invalid_value'],
  ['NUL', user('a\0b'), 'messages[0].content', 'invalid_value'],
  ['half a character', user('\ud800'), 'messages[0].content', 'invalid_value'],
  ['a hot model', { temperature: 3 }, 'temperature', 'invalid_value'],
  ['no tokens', { max_tokens: 0 }, 'max_tokens', 'invalid_value'],
  ['a stream of words', { stream: 'yes' }, 'stream', 'invalid_value'],
  ['a bad session', { metadata: { session_id: '../x' } }, 'metadata.session_id', 'invalid_value'],
  [
    'a tool with dots',
    { tools: [{ type: 'function', function: { name: 'fs.read' } }] },
    'tools[0].function.name',
    'invalid_value',
  ],
  ['a choice of nothing', { tool_choice: 'required' }, 'tool_choice', 'invalid_value'],
])('refuses %s and makes no run', async (_, more, param, code) => {
  const server = refusing();

  const answer = await server.post(CHAT, { ...ASK, ...more });

  expectFault(answer, 400, { type: INVALID, param, code });
  expect((await server.runtime.runs.list({ limit: 1 })).runs).toEqual([]);
});

test.each<[string, object, string]>([
  ['background', { background: true }, 'background'],
  ['a conversation', { conversation: 'c' }, 'conversation'],
  ['a stored prompt', { prompt: { id: 'p' } }, 'prompt'],
  ['a search', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  ['truncation', { truncation: 'auto' }, 'truncation'],
  ['an image', { input: [{ type: 'input_image' }] }, 'input[0].type'],
])('responses refuse %s', async (_, more, param) => {
  const server = refusing();

  const answer = await server.post('/v1/responses', { model: 'agent/pincer', input: 'x', ...more });

  expectFault(answer, 400, { type: INVALID, param, code: UNSUPPORTED });
});

test('fields that change nothing are tolerated when they say nothing', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'ok' }] });

  const { status } = await server.post(CHAT, {
    ...ASK,
    n: 1,
    logprobs: false,
    top_logprobs: null,
    logit_bias: {},
    modalities: ['text'],
    audio: null,
    store: false,
    service_tier: 'auto',
    temperature: null,
    tools: [],
    tool_choice: 'auto',
  });

  expect(status).toBe(200);
});

test('a name that a tool of ours has is taken', async () => {
  const server = await openOpenAiServer(NOTHING, {
    tools: [OWN_TOOL],
  });
  const tools = [{ type: 'function', function: { name: 'own_tool' } }];

  const answer = await server.post(CHAT, { ...ASK, tools });

  expectFault(answer, 400, { type: INVALID, param: 'tools', code: 'invalid_value' });
});

test('too many requests are told when to come back', async () => {
  const server = await openOpenAiServer(NOTHING, { config: { api: { rate_limit_max: 1 } } });

  await server.call('/v1/models');
  const answer = await server.call('/v1/models');

  expectFault(answer, 429, {
    type: 'rate_limit_error',
    param: null,
    code: 'rate_limit_exceeded',
  });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});

test('a stopped runtime takes no call', async () => {
  const server = await openOpenAiServer(NOTHING);
  await server.runtime.killSwitch.turn({ isOn: true, reason: 'drill', actor: 'operator' });

  const answer = await server.post(CHAT, ASK);

  expectFault(answer, 503, { type: 'server_error', param: null, code: 'service_unavailable' });
});
