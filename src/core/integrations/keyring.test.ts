import { expect, test } from 'vitest';
import type { AgentId, RunId } from '../ids.ts';
import { INTEGRATION_CALLER } from './integration-caller.ts';
import { createKeyring } from './keyring.ts';

const SECRETS: Record<string, string> = {
  intsec_github_1: 'built-in',
  custom: 'lent',
  'provider/openai/api_key': 'of the provider',
};
const keyring = createKeyring({ find: async (name) => SECRETS[name] });
const call = { runId: 'run_1' as RunId, callId: 'call_1' };
const outside = { ...call, agentId: INTEGRATION_CALLER };
const agent = { ...call, agentId: 'agent_default' as AgentId };

test('gives a call from outside the key that was lent to it, while it runs', async () => {
  const during = await keyring.lend(call, 'custom', () => keyring.find(outside, 'github'));

  expect(during).toBe('lent');
  expect(await keyring.find(outside, 'github')).toBeUndefined();
});

test('gives an agent the key of the built-in integration and no other', async () => {
  const found = await keyring.lend(call, 'custom', () => keyring.find(agent, 'github'));

  expect(found).toBe('built-in');
  expect(await keyring.find(agent, 'resend')).toBeUndefined();
});

test.each(['provider/openai/api_key', '../x', 'unknown'])('has no key %s', async (keyId) => {
  expect(await keyring.has(keyId)).toBe(false);
});
