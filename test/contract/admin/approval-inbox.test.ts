import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApprovalId, RequestId } from '../../../src/core/ids.ts';
import { open, start } from './session-calls.ts';
import { type AdminServer, openAdminServer, park, parkCall, seal } from './test-admin-server.ts';

const ASK = { tool: 'fs.write', decision: 'ask' };

async function openWorkspace(server: AdminServer, files: Readonly<Record<string, string>>) {
  const folder = join(server.root, 'workspace');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const asking = (server: AdminServer, tool: string, input: object) =>
  parkCall(server, { runId: 'run_1', id: 'appr_1', tool, input: JSON.stringify(input) });

test.each([
  [
    'fs.write',
    { path: 'a.txt', content: 'one\n2\n' },
    'change',
    '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2',
  ],
  [
    'fs.edit',
    { path: 'a.txt', old: 'one', new: 'ONE' },
    'change',
    '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two',
  ],
  [
    'fs.write',
    { path: 'b.txt', content: 'x\n' },
    'create',
    '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+x',
  ],
  [
    'fs.delete',
    { path: 'a.txt' },
    'delete',
    '--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two',
  ],
])('shows what %s would make of a file, and changes nothing', async (tool, input, kind, diff) => {
  const server = await openAdminServer();
  const folder = await openWorkspace(server, { 'a.txt': 'one\ntwo\n' });
  await asking(server, tool, input);

  const answer = await server.call('/api/admin/approvals/appr_1/preview');

  expect([answer.status, answer.body]).toEqual([
    200,
    { approval_id: 'appr_1', change: { path: input.path, kind, diff, truncated: false } },
  ]);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test.each<[tool: string, input: object]>([
  ['mail.send', { to: 'ana' }],
  ['fs.write', { path: '../outside.txt', content: 'x' }],
  ['fs.write', { path: '.openclawssy/config.json', content: 'x' }],
  ['fs.edit', { path: 'a.txt', old: 'not there', new: 'x' }],
  ['fs.write', { content: 'x' }],
])('has no difference to show for %s %j', async (tool, input) => {
  const server = await openAdminServer();
  await openWorkspace(server, { 'a.txt': 'one\n' });
  await asking(server, tool, input);

  const answer = await server.call('/api/admin/approvals/appr_1/preview');

  expect([answer.status, answer.body]).toEqual([200, { approval_id: 'appr_1', change: null }]);
});

test('looks into the folder of the principal that a call acts for', async () => {
  const server = await openAdminServer();
  await openWorkspace(server, { 'a.txt': "the operator's\n" });
  const input = JSON.stringify({ path: 'a.txt', content: 'x\n' });
  const call = { tool: 'fs.write', input, owner: 'user:42' };
  await parkCall(server, { runId: 'run_1', id: 'appr_1', ...call });

  const answer = await server.call('/api/admin/approvals/appr_1/preview');

  expect(answer.body).toMatchObject({ change: { kind: 'create' } });
  expect(answer.text).not.toContain("operator's");
});

test('a settled question has nothing to show, and one that is not there is 404', async () => {
  const server = await openAdminServer();
  await openWorkspace(server, { 'a.txt': 'one\n' });
  await asking(server, 'fs.delete', { path: 'a.txt' });
  await server.post('/api/admin/approvals/appr_1/deny', {});

  const settled = await server.call('/api/admin/approvals/appr_1/preview');
  const unknown = await server.call('/api/admin/approvals/appr_none/preview');
  const stranger = await server.call('/api/admin/approvals/appr_1/preview', { anonymous: true });

  expect(settled.body).toEqual({ approval_id: 'appr_1', change: null });
  expect([unknown.status, stranger.status]).toEqual([404, 401]);
});

test('says which conversation asks', async () => {
  const server = await openAdminServer();
  await open(server, 'session_1');
  const lease = await start(server, 'run_1', 'hello');
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

  const { body } = await server.call('/api/admin/approvals');

  expect(body).toMatchObject({ approvals: [{ id: 'appr_1', session_id: 'session_1' }] });
});

test('lists what is allowed for always, and asks again about what is withdrawn', async () => {
  const server = await openAdminServer();
  const body = {
    policy: { rules: [ASK, { tool: 'time.now', decision: 'allow' }] },
    shell: { enable_exec: true, allowed_commands: ['ls'] },
    sandbox: { active: true, provider: 'bwrap' },
  };
  const saved = await server.call('/api/admin/config', { method: 'PATCH', body });
  const write = { tool: 'fs.write', input: '{"content":"x","path":"a.txt"}' };
  await parkCall(server, { runId: 'run_1', id: 'appr_1', ...write });
  await server.post('/api/admin/approvals/appr_1/approve', { always: true });

  const listed = await server.call('/api/admin/standing-answers');
  const { answers } = listed.body as { answers: { id: string }[] };
  const path = `/api/admin/standing-answers/${answers[0]?.id}`;
  const removed = await server.call(path, { method: 'DELETE' });
  const again = await server.call(path, { method: 'DELETE' });

  expect(saved.status).toBe(200);
  expect(answers).toEqual([
    {
      id: expect.stringMatching(/^ans_[0-9a-f]{16}$/),
      allows: 'fs.write with path a.txt',
      tool: 'fs.write',
      where: { field: 'path', equals: 'a.txt' },
      command: null,
    },
    {
      id: expect.stringMatching(/^ans_[0-9a-f]{16}$/),
      allows: 'shell.exec with command ls…',
      tool: 'shell.exec',
      where: null,
      command: 'ls',
    },
  ]);
  expect([removed.status, removed.body]).toEqual([200, { removed: answers[0]?.id }]);
  expect([again.status, again.body]).toEqual([
    404,
    {
      error: {
        code: 'standing_answer.not_found',
        message: `standing answer ${answers[0]?.id} does not exist`,
      },
    },
  ]);
  expect((await server.call('/api/admin/config')).body).toMatchObject({
    policy: { rules: [ASK, { tool: 'time.now', decision: 'allow' }] },
  });
});

test('a command is withdrawn like a rule, and only by whoever holds the token', async () => {
  const server = await openAdminServer();
  const body = {
    shell: { enable_exec: true, allowed_commands: ['ls', 'git status'] },
    sandbox: { active: true, provider: 'bwrap' },
  };
  await server.call('/api/admin/config', { method: 'PATCH', body });
  await park(server, 'run_1', 'appr_1');
  const { answers } = (await server.call('/api/admin/standing-answers')).body as {
    answers: { id: string; command: string }[];
  };
  const path = `/api/admin/standing-answers/${answers.find(({ command }) => command === 'ls')?.id}`;

  const stranger = await server.call(path, { method: 'DELETE', anonymous: true });
  const removed = await server.call(path, { method: 'DELETE' });

  expect([stranger.status, removed.status]).toEqual([401, 200]);
  expect((await server.call('/api/admin/config')).body).toMatchObject({
    shell: { allowed_commands: ['git status'] },
  });
});
