import { expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { openAdminServer, park, parkCall, START } from './test-admin-server.ts';

const APPROVAL = {
  id: 'appr_1',
  run_id: 'run_1',
  agent_id: 'agent_default',
  session_id: null,
  request_id: 'req_of_run_1',
  tool: 'mail.send',
  tool_call_id: 'call_1',
  arguments: { to: 'ana' },
  input_digest: 'd1',
  reason: 'a rule asks',
  always: null,
  status: 'pending',
  created_at: START,
  expires_at: '2026-02-15T00:01:00.000Z',
  decided_by: null,
  decided_at: null,
  note: null,
};

test('shows a question with its arguments, and lists it', async () => {
  const server = await openAdminServer();
  await park(server, 'run_1', 'appr_1');

  const one = await server.call('/api/admin/approvals/appr_1');
  const all = await server.call('/api/admin/approvals?status=pending&run_id=run_1');
  const none = await server.call('/api/admin/approvals?status=denied');

  expect([one.status, one.body]).toEqual([200, APPROVAL]);
  expect([all.status, all.body]).toEqual([200, { approvals: [APPROVAL], next_cursor: null }]);
  expect(none.body).toEqual({ approvals: [], next_cursor: null });
});

test('pages from newest to oldest', async () => {
  const server = await openAdminServer();
  await park(server, 'run_1', 'appr_1');
  server.clock.advance(1);
  await park(server, 'run_2', 'appr_2');

  const first = await server.call('/api/admin/approvals?limit=1');
  const { approvals, next_cursor: cursor } = first.body as {
    approvals: { id: string }[];
    next_cursor: string;
  };
  const second = await server.call(`/api/admin/approvals?limit=1&cursor=${cursor}`);

  expect(approvals.map(({ id }) => id)).toEqual(['appr_2']);
  expect(second.body).toEqual({ approvals: [APPROVAL], next_cursor: null });
});

test.each([
  ['approve', 'approved', 'allow'],
  ['deny', 'denied', 'deny'],
] as const)('%s settles a question once, and its run goes on', async (verb, status, decision) => {
  const server = await openAdminServer();
  await park(server, 'run_1', 'appr_1');
  server.clock.advance(1_000);

  const first = await server.post(`/api/admin/approvals/appr_1/${verb}`, { note: 'as agreed' });
  const second = await server.call('/api/admin/approvals/appr_1/approve', { method: 'POST' });

  expect([first.status, first.body]).toEqual([
    200,
    {
      ...APPROVAL,
      status,
      decided_by: 'operator',
      decided_at: '2026-02-15T00:00:01.000Z',
      note: 'as agreed',
    },
  ]);
  expect([second.status, second.body]).toEqual([
    409,
    { error: { code: 'conflict', message: `approval appr_1 was ${status} already` } },
  ]);
  expect(await server.storage.runs.find('run_1' as RunId)).toMatchObject({ status: 'queued' });
  const events = await server.storage.events.read('run_1' as RunId, { after: 3, limit: 10 });
  expect(events.map(({ type, actor, payload }) => ({ type, actor, payload }))).toEqual([
    {
      type: 'policy.decision',
      actor: 'operator',
      payload: {
        decision,
        approval_id: 'appr_1',
        status,
        tool: 'mail.send',
        tool_call_id: 'call_1',
        request_id: 'req_of_run_1',
        by: 'operator',
        note: 'as agreed',
      },
    },
  ]);
});

test('an approval for always writes a narrow rule first, and one that no rule can say is refused', async () => {
  const server = await openAdminServer();
  const ask = { tool: 'fs.write', decision: 'ask' };
  await server.call('/api/admin/config', { method: 'PATCH', body: { policy: { rules: [ask] } } });
  const call = { tool: 'fs.write', input: '{"content":"x","path":"./a.txt"}' };
  await parkCall(server, { runId: 'run_1', id: 'appr_1', ...call });
  await park(server, 'run_2', 'appr_2');

  const shown = await server.call('/api/admin/approvals/appr_1');
  const answer = await server.post('/api/admin/approvals/appr_1/approve', { always: true });
  const refused = await server.post('/api/admin/approvals/appr_2/approve', { always: true });
  const again = await server.post('/api/admin/approvals/appr_1/approve', { always: true });

  expect(shown.body).toMatchObject({ always: 'fs.write with path a.txt' });
  expect([answer.status, answer.body]).toMatchObject([200, { status: 'approved', always: null }]);
  expect((await server.call('/api/admin/config')).body).toMatchObject({
    policy: {
      rules: [
        ask,
        { tool: 'fs.write', decision: 'allow', where: { field: 'path', equals: 'a.txt' } },
      ],
    },
  });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { code: 'invalid.request', message: 'no rule can answer appr_2 for always' } },
  ]);
  expect(again.status).toBe(409);
  expect((await server.call('/api/admin/approvals/appr_2')).body).toMatchObject({
    status: 'pending',
  });
});

test('no approval for always is offered for the call of a principal, since rules are for everybody', async () => {
  const server = await openAdminServer();
  const ask = { tool: 'fs.write', decision: 'ask' };
  await server.call('/api/admin/config', { method: 'PATCH', body: { policy: { rules: [ask] } } });
  const call = { tool: 'fs.write', input: '{"content":"x","path":"a.txt"}' };
  await parkCall(server, { runId: 'run_1', id: 'appr_1', owner: 'user:42', ...call });

  const shown = await server.call('/api/admin/approvals/appr_1');
  const listed = await server.call('/api/admin/approvals');
  const refused = await server.post('/api/admin/approvals/appr_1/approve', { always: true });
  const rules = (await server.call('/api/admin/config')).body;
  const once = await server.post('/api/admin/approvals/appr_1/approve', {});

  expect(shown.body).toMatchObject({ always: null });
  expect(listed.body).toMatchObject({ approvals: [{ always: null }] });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { code: 'invalid.request', message: 'no rule can answer appr_1 for always' } },
  ]);
  expect(rules).toMatchObject({ policy: { rules: [ask] } });
  expect(once.body).toMatchObject({ status: 'approved' });
});

test('refuses to answer what has expired', async () => {
  const server = await openAdminServer();
  await park(server, 'run_1', 'appr_1');
  server.clock.advance(60_001);

  const answer = await server.post('/api/admin/approvals/appr_1/approve', {});

  expect([answer.status, answer.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message: 'approval appr_1 has expired, or its run has ended',
      },
    },
  ]);
});

test.each([
  ['GET', '/api/admin/approvals/appr_none'],
  ['POST', '/api/admin/approvals/appr_none/approve'],
  ['POST', '/api/admin/approvals/appr_none/deny'],
])('answers 404 to %s %s', async (method, path) => {
  const server = await openAdminServer();

  const answer = await server.call(path, { method });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code: 'approval.not_found', message: 'approval appr_none does not exist' } },
  ]);
});
