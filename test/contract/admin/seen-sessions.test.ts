import { expect, test } from 'vitest';
import type { ApprovalId, RequestId } from '../../../src/core/ids.ts';
import { converse, open, SEEN, start } from './session-calls.ts';
import { type AdminServer, openAdminServer, START, seal } from './test-admin-server.ts';

const rename = (server: AdminServer, path: string, body: unknown) =>
  server.call(path, { method: 'PATCH', body });

test('tells what goes on in a session: a run that works, and how it ended', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  const path = '/api/admin/chat/sessions/session_1';

  await start(server, 'run_1', `first\n${'long '.repeat(100)}`);
  const working = await server.call(path);
  await open(server, 'session_2');
  const other = await server.call('/api/admin/chat/sessions/session_2');

  const line = `first ${'long '.repeat(30)}`;
  expect(working.body).toEqual({
    ...SEEN,
    title: expect.stringContaining('first long'),
    message_count: 1,
    last_exchange: 1,
    state: 'working',
    run: { id: 'run_1', status: 'running' },
    last_message: { role: 'user', text: expect.stringContaining(line.trim()), ts: START },
  });
  expect((working.body as { last_message: { text: string } }).last_message.text).toHaveLength(160);
  expect(other.body).toMatchObject({ state: 'idle', run: null, last_message: null });
});

test('says which session waits for an answer, and which failed', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  await converse(server, 'run_1', 'first');
  const failed = await server.call('/api/admin/chat/sessions/session_1');
  const lease = await start(server, 'run_2', 'second');
  await server.storage.runs.park(lease, [seal({ type: 'policy.decision', payload: {} })], {
    id: 'appr_1' as ApprovalId,
    requestId: 'req_1' as RequestId,
    tool: 'mail.send',
    callId: 'call_1',
    input: '{}',
    inputDigest: 'd1',
    reason: 'a rule asks',
    ttlMs: 60_000,
  });

  const waiting = await server.call('/api/admin/chat/sessions');

  expect(failed.body).toMatchObject({
    state: 'failed',
    run: { id: 'run_1', status: 'failed' },
    last_message: { role: 'assistant', text: 'it went wrong' },
  });
  expect(waiting.body).toMatchObject({
    sessions: [
      { state: 'waiting', run: { id: 'run_2', status: 'waiting' }, approval_id: 'appr_1' },
    ],
  });
});

test('finds sessions by what their titles and messages say', async () => {
  const server = await openAdminServer();
  await open(server, 'session_2', { userId: 'bob' });
  await open(server, 'session_1');
  await converse(server, 'run_1', 'where is the Red door?');
  await rename(server, '/api/admin/chat/sessions/session_2', { title: 'red things' });
  const find = async (query: string) => {
    const { body } = await server.call(`/api/admin/chat/sessions?${query}`);
    const page = body as { sessions: { session_id: string; match: unknown }[] };
    return page.sessions.map(({ session_id: id, match }) => [id, match]);
  };

  const found = await find('q=RED');

  const match = { exchange: 1, role: 'user', excerpt: 'where is the Red door?', ts: START };
  expect(new Map(found as [string, unknown][])).toEqual(
    new Map<string, unknown>([
      ['session_1', match],
      ['session_2', null],
    ]),
  );
  expect(await find('q=red&user_id=bob')).toEqual([['session_2', null]]);
  expect(await find('q=time.now')).toEqual([]);
});

test('gives a session a title that stays, on one line and without secrets', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  server.clock.advance(1_000);
  const path = '/api/admin/chat/sessions/session_1';

  const renamed = await rename(server, path, { title: '  My \n taxes ' });
  await converse(server, 'run_1', 'first');
  const shown = await server.call(path);

  expect([renamed.status, renamed.body]).toEqual([200, { ...SEEN, title: 'My taxes' }]);
  expect(shown.body).toMatchObject({ title: 'My taxes' });
});

test.each<[body: unknown, message: string]>([
  [{}, 'title is required'],
  [{ title: ' \n ' }, 'title must not be empty'],
  [{ title: 'x'.repeat(201) }, 'title must be at most 200 characters'],
  [{ title: 'a', agent_id: 'b' }, 'unknown field: agent_id'],
])('refuses the change %j', async (body, message) => {
  const server = await openAdminServer();
  await open(server, 'session_1');

  const answer = await rename(server, '/api/admin/chat/sessions/session_1', body);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
