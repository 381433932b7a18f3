import { expect, test } from 'vitest';
import { openAdminServer } from './test-admin-server.ts';

test.each([
  '/api/admin/status',
  '/api/admin/events',
  '/api/admin/config',
  '/api/admin/secrets',
  '/api/admin/chat/sessions',
  '/api/admin/scheduler/jobs',
  '/api/admin/agents',
  '/api/admin/mail?agent_id=agent_default',
  '/api/admin/runs/run_1/trace',
  '/api/admin/effects',
  '/api/admin/approvals',
  '/api/admin/tools',
  '/api/admin/tools/mail.send/idempotency',
  '/api/admin/agents/agent_default/capabilities',
  '/api/admin/mcp',
  '/api/admin/sign-ins',
  '/api/admin/nothing',
])('asks for the token at %s', async (path) => {
  const server = await openAdminServer();

  const answer = await server.call(path, { anonymous: true });

  expect([answer.status, answer.body]).toEqual([
    401,
    { error: { code: 'auth.unauthorized', message: 'missing bearer token' } },
  ]);
});

test('answers unknown routes and methods in its own envelope', async () => {
  const server = await openAdminServer();

  const route = await server.call('/api/admin/nothing');
  const method = await server.call('/api/admin/tools', { method: 'DELETE' });

  expect([route.status, route.body]).toEqual([
    404,
    {
      error: {
        code: 'route.not_found',
        message: 'route GET /api/admin/nothing does not exist',
      },
    },
  ]);
  expect([method.status, method.headers.allow, method.body]).toEqual([
    405,
    'GET, HEAD',
    {
      error: {
        code: 'method.not_allowed',
        message: 'method DELETE is not allowed for /api/admin/tools',
      },
    },
  ]);
});
