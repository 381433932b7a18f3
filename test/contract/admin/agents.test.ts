import { expect, test } from 'vitest';
import { openAdminServer, START } from './test-admin-server.ts';

const DEFAULT = {
  agent_id: 'agent_default',
  name: 'Default',
  role: 'assistant',
  model: null,
  runtime: 'pincer',
  instructions: '',
  slug: 'agent_default',
  personality_template: null,
  voice_id: null,
  skills: [],
  memory_access: 'global',
  status: 'idle',
  created_at: START,
  updated_at: START,
};

/** What an agent has that nobody said anything about. */
const PLAIN = {
  runtime: 'pincer',
  personality_template: null,
  voice_id: null,
  skills: [],
  memory_access: 'private',
  status: 'idle',
  created_at: START,
  updated_at: START,
};

const WRITER = {
  agent_id: 'writer',
  name: 'Writer',
  role: 'writes',
  model: 'offline/rules',
  instructions: 'Write plainly.',
};

const patch = (body: unknown) => ({ method: 'PATCH', body });

test('lists agents by id, in pages', async () => {
  const server = await openAdminServer();
  await server.post('/api/admin/agents', { agent_id: 'Zoe' });

  const all = await server.call('/api/admin/agents');
  const first = await server.call('/api/admin/agents?limit=1');
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  const second = await server.call(`/api/admin/agents?limit=1&cursor=${cursor}`);

  const zoe = { ...DEFAULT, ...PLAIN, agent_id: 'Zoe', slug: 'zoe', name: 'Zoe', role: '' };
  expect([all.status, all.body]).toEqual([200, { agents: [zoe, DEFAULT], next_cursor: null }]);
  expect(first.body).toEqual({ agents: [zoe], next_cursor: cursor });
  expect(second.body).toEqual({ agents: [DEFAULT], next_cursor: null });
});

test('creates an agent, once', async () => {
  const server = await openAdminServer();

  const created = await server.post('/api/admin/agents', WRITER);
  const again = await server.post('/api/admin/agents', WRITER);
  const read = await server.call('/api/admin/agents/writer');

  const writer = { ...WRITER, ...PLAIN, slug: 'writer' };
  expect([created.status, created.headers.location, created.body]).toEqual([
    201,
    '/api/admin/agents/writer',
    writer,
  ]);
  expect([read.status, read.body]).toEqual([200, writer]);
  expect([again.status, again.body]).toEqual([
    409,
    { error: { code: 'conflict', message: 'agent writer exists already' } },
  ]);
});

test('what somebody else changed since is not written over', async () => {
  const server = await openAdminServer();
  const { body } = await server.post('/api/admin/agents', WRITER);
  const { updated_at: read } = body as { updated_at: string };
  const path = '/api/admin/agents/writer';

  const first = await server.call(path, patch({ instructions: 'A', if_updated_at: read }));
  const second = await server.call(path, patch({ instructions: 'B', if_updated_at: read }));
  const { updated_at: now } = first.body as { updated_at: string };
  const third = await server.call(path, patch({ instructions: 'C', if_updated_at: now }));

  expect([first.status, second.status, third.status]).toEqual([200, 409, 200]);
  expect(second.body).toEqual({
    error: { code: 'conflict', message: 'agent writer was changed meanwhile: read it again' },
  });
  expect(third.body).toMatchObject({ instructions: 'C' });
});

test('lists what souls are made from', async () => {
  const server = await openAdminServer();

  const answer = await server.call('/api/admin/agent-templates');

  const { templates } = answer.body as { templates: { name: string; text: string }[] };
  expect(answer.status).toBe(200);
  expect(templates.map(({ name }) => name)).toEqual([
    'coder',
    'creative',
    'default',
    'default-security',
    'operator',
    'researcher',
  ]);
  expect(templates[0]).toEqual({
    name: 'coder',
    text: expect.stringContaining('{{agent_name}}'),
    built_in: true,
  });
});

test('changes the fields that are given, and null gives the model back', async () => {
  const server = await openAdminServer();
  await server.post('/api/admin/agents', WRITER);

  const path = '/api/admin/agents/writer';
  const renamed = await server.call(path, patch({ name: 'Author' }));
  const reset = await server.call(path, patch({ model: null }));
  const nothing = await server.call(path, patch({}));

  const updated_at = expect.any(String);
  const writer = { ...WRITER, ...PLAIN, updated_at, slug: 'writer', name: 'Author' };
  expect([renamed.status, renamed.body]).toEqual([200, writer]);
  expect([reset.status, reset.body]).toEqual([200, { ...writer, model: null }]);
  expect([nothing.status, nothing.body]).toEqual([200, { ...writer, model: null }]);
  expect((await server.call(path)).body).toEqual({ ...writer, model: null });
});

test.each([
  ['GET', undefined],
  ['PATCH', { name: 'x' }],
  ['PATCH', {}],
])(
  'answers %s of an unknown agent with 404, and of an impossible id with 400',
  async (method, body) => {
    const server = await openAdminServer();
    const options = { method, ...(body === undefined ? {} : { body }) };

    const unknown = await server.call('/api/admin/agents/nobody', options);
    const impossible = await server.call('/api/admin/agents/..%2Fx', options);

    expect([unknown.status, unknown.body]).toEqual([
      404,
      { error: { code: 'agent.not_found', message: 'agent nobody does not exist' } },
    ]);
    expect([impossible.status, impossible.body]).toEqual([
      400,
      {
        error: {
          code: 'invalid.request',
          message: 'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
        },
      },
    ]);
  },
);

test.each<[body: unknown, message: string]>([
  [{}, 'agent_id or name is required'],
  [{ agent_id: '../x' }, 'agent_id must be 1 to 64 letters, digits, _ or -'],
  [{ agent_id: 'a'.repeat(65) }, 'agent_id must be 1 to 64 letters, digits, _ or -'],
  [{ agent_id: 'x', name: '' }, 'name must not be empty'],
  [{ agent_id: 'x', role: 'r'.repeat(201) }, 'role must be at most 200 characters'],
  [
    { agent_id: 'x', model: 'nobody/gpt' },
    'model "nobody/gpt" names no known provider: write <provider>/<name> with one of openai, anthropic, openrouter, ollama, openai-compatible, offline',
  ],
  [{ agent_id: 'x', model: 'openai/' }, 'model "openai/" has no usable name: write openai/<name>'],
  [{ agent_id: 'x', talents: [] }, 'unknown field: talents'],
  [
    { agent_id: 'x', instructions: 'i'.repeat(16_385) },
    'instructions must be at most 16384 characters',
  ],
])('refuses the agent %#', async (body, message) => {
  const server = await openAdminServer();

  const answer = await server.post('/api/admin/agents', body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
