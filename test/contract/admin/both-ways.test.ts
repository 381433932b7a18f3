import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import {
  approveCall,
  denyCall,
  getApproval,
  listApprovals,
} from '../../../src/operations/approvals/approvals.ts';
import {
  changeCapability,
  listCapabilities,
} from '../../../src/operations/capabilities/capabilities.ts';
import { getEffect, listEffects, resolveEffect } from '../../../src/operations/effects/effects.ts';
import { toBody } from '../../../src/operations/operation.ts';
import {
  flushToolKeys,
  getCircuit,
  getTool,
  listToolKeys,
  listTools,
  openCircuit,
  reportReliability,
  resetCircuit,
} from '../../../src/operations/tools/tools.ts';
import type { Ask } from '../../../src/surfaces/cli/ask/ask-runtime.ts';
import type { AdminServices } from '../../../src/surfaces/cli/program/context.ts';
import { openClient } from '../../../src/surfaces/cli/remote/open-client.ts';
import { TOKEN } from '../v1/http-client.ts';
import { leaveUnknown, openAdminServer, park } from './test-admin-server.ts';

type Way = Ask<AdminServices>;

type Question = readonly [name: string, pose: (ask: Way) => Promise<unknown>];

const MAIL = { tool: 'mail.send' };

/** Asked twice, they answer the same: so the two ways can be compared on one store. */
const QUESTIONS: readonly Question[] = [
  ['effects', (ask) => ask(listEffects, { query: { limit: 1 } })],
  ['effects of a tool', (ask) => ask(listEffects, { query: { tool: 'time.now', limit: 1 } })],
  ['an effect', (ask) => ask(getEffect, { params: { effect_id: 'req_1' } })],
  ['no effect', (ask) => ask(getEffect, { params: { effect_id: 'req_none' } })],
  [
    'approvals',
    (ask) => ask(listApprovals, { query: { status: 'pending', run_id: 'run_2', limit: 5 } }),
  ],
  ['an approval', (ask) => ask(getApproval, { params: { approval_id: 'appr_1' } })],
  ['no approval', (ask) => ask(getApproval, { params: { approval_id: 'appr_none' } })],
  ['tools', (ask) => ask(listTools, {})],
  ['a tool', (ask) => ask(getTool, { params: { tool: 'MailTool' } })],
  ['no tool', (ask) => ask(getTool, { params: { tool: 'mail.sned' } })],
  ['a circuit', (ask) => ask(getCircuit, { params: MAIL })],
  ['an open circuit', (ask) => ask(openCircuit, { params: MAIL, body: null })],
  ['a closed circuit', (ask) => ask(resetCircuit, { params: MAIL, body: null })],
  ['keys', (ask) => ask(listToolKeys, { params: MAIL, query: { limit: 3 } })],
  ['a flush', (ask) => ask(flushToolKeys, { params: MAIL, body: { key: 'a/b' } })],
  ['a report', (ask) => ask(reportReliability, {})],
  ['capabilities', (ask) => ask(listCapabilities, { params: { agent_id: 'agent_default' } })],
  ['no agent', (ask) => ask(listCapabilities, { params: { agent_id: 'agent_none' } })],
  [
    'a grant',
    (ask) =>
      ask(changeCapability, {
        params: { agent_id: 'agent_default' },
        body: { tool: 'mail.*', effect: 'grant' },
      }),
  ],
];

async function openBoth() {
  const server = await openAdminServer();
  await leaveUnknown(server, 'run_1', 'req_1');
  await park(server, 'run_2', 'appr_1');
  const address = { url: server.url, token: TOKEN, isSameBuild: false };
  const link = { server: address, locate: async () => address, clock: systemClock };
  const remote: Way = openClient(link).call;
  const local: Way = async (operation, input) =>
    toBody(await operation.run(server.services, input));
  return { remote, local };
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

test.each(QUESTIONS)('a server answers as the store itself: %s', async (_name, pose) => {
  const { remote, local } = await openBoth();

  const near = await outcome(pose(local));
  const far = await outcome(pose(remote));

  expect(far).toEqual(near);
});

test('settles through a server, and the second time is a conflict', async () => {
  const { remote: ask } = await openBoth();
  const params = { approval_id: 'appr_1' };
  const effect = await ask(resolveEffect, {
    params: { effect_id: 'req_1' },
    body: { status: 'failed', note: 'not there' },
  });
  const approval = await ask(denyCall, { params, body: { note: '' } });
  const again = await outcome(ask(approveCall, { params, body: null }));

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
