import { expect, test } from 'vitest';
import type { AgentId, RunId } from '../ids.ts';
import { INTEGRATION_CALLER } from './integration-caller.ts';
import { createKeyring } from './keyring.ts';

const SECRETS: Record<string, string> = {
  intsec_github_1: 'built-in',
  'integration/github/team': 'lent',
  'integration/resend/team': 'of another provider',
  'provider/openai/api_key': 'of a model',
  'deploy/key': 'listed for github',
  'github/token': 'not listed',
};
const keyring = createKeyring({
  secrets: { find: async (name) => SECRETS[name] },
  listNames: (provider) => (provider === 'github' ? ['deploy/key', 'provider/openai/api_key'] : []),
});
const call = { runId: 'run_1' as RunId, callId: 'call_1' };
const outside = { ...call, agentId: INTEGRATION_CALLER };
const agent = { ...call, agentId: 'agent_default' as AgentId };

test('gives a call from outside the key that was lent to it, while it runs', async () => {
  const keyId = 'integration/github/team';
  const during = await keyring.lend(call, keyId, () => keyring.find(outside, 'github'));

  expect(during).toBe('lent');
  expect(await keyring.find(outside, 'github')).toBeUndefined();
});

test('gives an agent the key of the built-in integration and no other', async () => {
  const keyId = 'integration/github/team';
  const found = await keyring.lend(call, keyId, () => keyring.find(agent, 'github'));

  expect(found).toBe('built-in');
  expect(await keyring.find(agent, 'resend')).toBeUndefined();
});

test.each([
  ['intsec_github_1', 'usable'],
  ['intsec_unknown', 'missing'],
  ['integration/github/team', 'usable'],
  ['integration/github/unknown', 'missing'],
  ['integration/github/../resend/team', 'missing'],
  ['deploy/key', 'usable'],
  ['integration/resend/team', 'not_allowed'],
  ['provider/openai/api_key', 'not_allowed'],
  ['github/token', 'not_allowed'],
  ['unknown', 'not_allowed'],
  ['../x', 'not_allowed'],
  ['INTSEC_github_1', 'not_allowed'],
] as const)('of secrets that a manifest for GitHub names, %s is %s', async (keyId, expected) => {
  const lent = await keyring.lend(call, keyId, () => keyring.find(outside, 'github'));

  expect(await keyring.check(keyId, 'github')).toBe(expected);
  expect(lent !== undefined).toBe(expected === 'usable');
});
