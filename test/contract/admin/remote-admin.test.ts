import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { AdminAccess } from '../../../src/surfaces/cli/admin-access.ts';
import { createLocalAdmin } from '../../../src/surfaces/cli/local-admin.ts';
import { createRemoteAdmin } from '../../../src/surfaces/cli/remote/remote-admin.ts';
import { TOKEN } from '../v1/http-client.ts';
import { leaveUnknown, openAdminServer, park } from './test-admin-server.ts';

type Question = readonly [name: string, ask: (admin: AdminAccess) => Promise<unknown>];

/** Asked twice, they answer the same: so the two ways can be compared on one store. */
const QUESTIONS: readonly Question[] = [
  ['effects', (admin) => admin.listEffects({ limit: 1 })],
  ['effects of a tool', (admin) => admin.listEffects({ tool: 'time.now', limit: 1 })],
  ['an effect', (admin) => admin.getEffect('req_1')],
  ['no effect', (admin) => admin.getEffect('req_none')],
  ['approvals', (admin) => admin.listApprovals({ status: 'pending', run_id: 'run_2', limit: 5 })],
  ['an approval', (admin) => admin.getApproval('appr_1')],
  ['no approval', (admin) => admin.getApproval('appr_none')],
  ['tools', (admin) => admin.listTools()],
  ['a tool', (admin) => admin.getTool('MailTool')],
  ['no tool', (admin) => admin.getTool('mail.sned')],
  ['a circuit', (admin) => admin.getCircuit('mail.send')],
  ['an open circuit', (admin) => admin.openCircuit('mail.send')],
  ['a closed circuit', (admin) => admin.resetCircuit('mail.send')],
  ['keys', (admin) => admin.listKeys('mail.send', { limit: 3 })],
  ['a flush', (admin) => admin.flushKeys('mail.send', 'a/b')],
  ['a report', (admin) => admin.getReport()],
  ['capabilities', (admin) => admin.listCapabilities('agent_default')],
  ['no agent', (admin) => admin.listCapabilities('agent_none')],
  [
    'a grant',
    (admin) => admin.changeCapability('agent_default', { tool: 'mail.*', effect: 'grant' }),
  ],
];

async function openBoth() {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');
  await park(server, 'run_2', 'appr_1');
  const address = { url: server.url, token: TOKEN };
  const remote = createRemoteAdmin({
    server: address,
    locate: async () => address,
    clock: systemClock,
  });
  return { server, remote, local: createLocalAdmin(server.services) };
}

/** What became of a question, be it an error. */
async function outcome(asked: Promise<unknown>): Promise<unknown> {
  try {
    return { answer: await asked };
  } catch (thrown) {
    const { code, message, details } = thrown as {
      code: string;
      message: string;
      details?: { thing?: string };
    };
    return { code, message, thing: details?.thing };
  }
}

test.each(QUESTIONS)('a server answers as the store itself: %s', async (_name, ask) => {
  const { remote, local } = await openBoth();

  const near = await outcome(ask(local));
  const far = await outcome(ask(remote));

  expect(far).toEqual(near);
});

test('settles through a server, and the second time is a conflict', async () => {
  const { remote } = await openBoth();

  const effect = await remote.resolveEffect('req_1', { status: 'failed', note: 'not there' });
  const approval = await remote.decideApproval('appr_1', { status: 'denied', note: '' });
  const again = await outcome(remote.decideApproval('appr_1', { status: 'approved', note: '' }));

  expect(effect).toMatchObject({
    status: 'failed',
    resolution: { status: 'failed', by: 'operator', note: 'not there' },
  });
  expect(approval).toMatchObject({ status: 'denied', decided_by: 'operator', note: '' });
  expect(again).toEqual({
    code: 'conflict',
    message: 'approval appr_1 was denied already',
    thing: undefined,
  });
});
