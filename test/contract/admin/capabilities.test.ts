import { expect, test } from 'vitest';
import { AGENT, openAdminServer, START } from './test-admin-server.ts';

const PATH = '/api/admin/agents/agent_default/capabilities';

test('shows what the configuration grants', async () => {
  const server = await openAdminServer();

  const answer = await server.call(PATH);

  expect([answer.status, answer.body]).toEqual([
    200,
    { agent_id: 'agent_default', granted: ['time.now'], changes: [] },
  ]);
});

test('grants by alias under the canonical name, and policy knows it at once', async () => {
  const server = await openAdminServer();

  const answer = await server.post(PATH, { tool: 'MailTool', effect: 'grant' });

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      agent_id: 'agent_default',
      granted: ['mail.send', 'time.now'],
      changes: [{ tool: 'mail.send', effect: 'grant', by: 'operator', at: START }],
    },
  ]);
  expect(server.capabilities.has(AGENT, 'mail.send')).toBe(true);
});

test('revokes by prefix what the configuration grants', async () => {
  const server = await openAdminServer();

  const answer = await server.post(PATH, { tool: 'time.*', effect: 'revoke' });

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      agent_id: 'agent_default',
      granted: [],
      changes: [{ tool: 'time.*', effect: 'revoke', by: 'operator', at: START }],
    },
  ]);
});

test('takes a tool of an external server before it is there', async () => {
  const server = await openAdminServer();

  const answer = await server.post(PATH, { tool: 'mcp__weather__today', effect: 'grant' });

  expect(answer.status).toBe(200);
});

test.each<[path: string, body: unknown, status: number, error: object]>([
  [PATH, { tool: 'mail.sned', effect: 'revoke' }, 404, notFound('tool', 'mail.sned')],
  [
    '/api/admin/agents/agent_none/capabilities',
    { tool: 'mail.send', effect: 'grant' },
    404,
    notFound('agent', 'agent_none'),
  ],
  [PATH, { tool: 'mail.send' }, 400, invalid('effect is required')],
  [PATH, { tool: '', effect: 'grant' }, 400, invalid('tool must not be empty')],
])('refuses %s %j', async (path, body, status, error) => {
  const server = await openAdminServer();

  const answer = await server.post(path, body);

  expect([answer.status, answer.body]).toEqual([status, { error }]);
  expect(await server.storage.capabilities.list()).toEqual([]);
});

test('answers 404 for the list of an agent that does not exist', async () => {
  const server = await openAdminServer();

  const answer = await server.call('/api/admin/agents/agent_none/capabilities');

  expect([answer.status, answer.body]).toEqual([404, { error: notFound('agent', 'agent_none') }]);
});

function notFound(thing: string, name: string) {
  return { code: `${thing}.not_found`, message: `${thing} ${name} does not exist` };
}

function invalid(message: string) {
  return { code: 'invalid.request', message };
}
