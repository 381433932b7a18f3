import { expect, test } from 'vitest';
import { createTestGround } from '../../../src/mcp/test-clients.ts';
import { openAdminServer, START } from './test-admin-server.ts';

async function openWithServer() {
  const ground = await createTestGround();
  return openAdminServer({
    calm: ground.server('good', { approve_new_tools: false }),
    off: { command: 'nothing', disabled: true },
  });
}

interface Listed {
  readonly servers: readonly {
    readonly name: string;
    readonly tools: readonly { tool: string; status: string; hash: string }[];
  }[];
}

test('lists servers, and tools that wait for approval', async () => {
  const server = await openWithServer();

  const answer = await server.call('/api/admin/mcp');

  expect(answer.status).toBe(200);
  const { servers } = answer.body as Listed;
  expect(servers).toMatchObject([
    {
      name: 'calm',
      transport: 'stdio',
      state: 'ready',
      last_error: null,
      next_retry_at: null,
      rejected_tools: [],
    },
    {
      name: 'off',
      transport: 'stdio',
      state: 'disabled',
      last_error: null,
      next_retry_at: null,
      server_info: null,
      protocol_version: null,
      tools: [],
      rejected_tools: [],
    },
  ]);
  expect(servers[0]?.tools.find(({ tool }) => tool === 'echo')).toEqual({
    name: 'mcp__calm__echo',
    tool: 'echo',
    status: 'pending',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('tells what a tool says about itself, and what was approved of that', async () => {
  const server = await openWithServer();
  const path = '/api/admin/mcp/calm/tools/echo';
  const declared = {
    description: 'Says it again',
    input_schema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    },
    annotations: { readOnlyHint: true },
  };

  const before = await server.call(path);
  await server.call(`${path}/approve`, { method: 'POST' });
  const after = await server.call(path);

  const seen = {
    server: 'calm',
    tool: 'echo',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    seen: declared,
    seen_at: START,
  };
  expect([before.status, before.body]).toEqual([
    200,
    { ...seen, status: 'pending', approved_at: null, approved: null },
  ]);
  expect([after.status, after.body]).toEqual([
    200,
    { ...seen, status: 'approved', approved_at: START, approved: declared },
  ]);
});

test.each([
  ['none/tools/echo', 'mcp_server.not_found'],
  ['calm/tools/none', 'tool.not_found'],
])('answers 404 to a look at %s', async (path, code) => {
  const server = await openWithServer();

  const answer = await server.call(`/api/admin/mcp/${path}`);

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code, message: expect.any(String) } },
  ]);
});

test('approves a tool, which then is there to be called', async () => {
  const server = await openWithServer();
  const { servers } = (await server.call('/api/admin/mcp')).body as Listed;
  const hash = servers[0]?.tools.find(({ tool }) => tool === 'echo')?.hash ?? '';
  const before = await server.call('/api/admin/tools/mcp__calm__echo');

  const answer = await server.post('/api/admin/mcp/calm/tools/echo/approve', { hash });

  expect(before.status).toBe(404);
  expect([answer.status, answer.body]).toEqual([
    200,
    { server: 'calm', tool: 'echo', status: 'approved', hash, approved_at: START },
  ]);
  expect((await server.call('/api/admin/tools/mcp__calm__echo')).status).toBe(200);
});

test('refuses an approval of something else than the server shows', async () => {
  const server = await openWithServer();

  const hash = '0'.repeat(64);
  const answer = await server.post('/api/admin/mcp/calm/tools/echo/approve', { hash });

  expect([answer.status, answer.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message: 'tool echo has changed again since it was looked at',
      },
    },
  ]);
});

test.each([
  ['none/tools/echo', 'mcp_server.not_found'],
  ['calm/tools/none', 'tool.not_found'],
])('answers 404 to the approval of %s', async (path, code) => {
  const server = await openWithServer();

  const answer = await server.call(`/api/admin/mcp/${path}/approve`, { method: 'POST' });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code, message: expect.any(String) } },
  ]);
});
