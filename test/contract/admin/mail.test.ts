import { expect, test } from 'vitest';
import type { AgentId, MailId, RunId } from '../../../src/core/ids.ts';
import { type AdminServer, AGENT, openAdminServer, START } from './test-admin-server.ts';

async function send({ storage }: AdminServer, id: string): Promise<void> {
  const mail = {
    id: id as MailId,
    owner: 'operator',
    from: 'writer' as AgentId,
    to: AGENT,
    subject: 'draft',
    taskId: 'task_1',
    body: 'please read',
    runId: 'run_1' as RunId,
    key: id,
  };
  await storage.mail.send(mail, 10);
}

const MAIL = {
  mail_id: 'mail_1',
  from: 'writer',
  to: 'agent_default',
  subject: 'draft',
  task_id: 'task_1',
  body: 'please read',
  run_id: 'run_1',
  sent_at: START,
  delivered_at: null,
};

test('shows an inbox newest first, and looking delivers nothing', async () => {
  const server = await openAdminServer();
  await send(server, 'mail_1');
  await server.storage.mail.take({ agentId: AGENT, owner: 'operator', key: 'k', limit: 1 });
  await send(server, 'mail_2');

  const all = await server.call('/api/admin/mail?agent_id=agent_default');
  const waiting = await server.call('/api/admin/mail?agent_id=agent_default&undelivered=true');
  const one = await server.call('/api/admin/mail?agent_id=agent_default&limit=1');

  const second = { ...MAIL, mail_id: 'mail_2' };
  expect([all.status, all.body]).toEqual([
    200,
    { agent_id: 'agent_default', mail: [second, { ...MAIL, delivered_at: START }] },
  ]);
  expect(waiting.body).toEqual({ agent_id: 'agent_default', mail: [second] });
  expect(one.body).toEqual({ agent_id: 'agent_default', mail: [second] });
});

test.each([
  ['', 400, 'invalid.request', 'agent_id is required'],
  ['agent_id=nobody', 404, 'agent.not_found', 'agent nobody does not exist'],
  [
    'agent_id=a%2Fb',
    400,
    'invalid.request',
    'agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
  ],
  ['agent_id=x&limit=201', 400, 'invalid.request', 'limit must be at most 200'],
  ['agent_id=x&undelivered=1', 400, 'invalid.request', 'undelivered must be one of true, false'],
])('refuses ?%s', async (query, status, code, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`/api/admin/mail?${query}`);

  expect([answer.status, answer.body]).toEqual([status, { error: { code, message } }]);
});
