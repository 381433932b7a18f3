import { expect, test } from 'vitest';
import { createRedactor } from '../redact/create-redactor.ts';
import { createBrief } from './briefing.ts';
import { ghostOf } from './execution.ts';
import { INITIAL_STATE } from './run-state.ts';

const agent = {
  ...ghostOf({ agentId: 'agent_one' } as never),
  instructions: 'Say hush-hush-word.',
};
const request = { agent, owner: 'operator', toolCalls: 'native', state: INITIAL_STATE } as const;

function createBriefing(secrets: () => readonly string[]) {
  return createBrief({
    redactor: createRedactor({ secrets }),
    registry: { find: () => undefined },
    isGranted: () => false,
    skills: { listForPrompt: async () => [] },
    describeGranted: () => [],
  });
}

test('a prompt that was kept is looked through again when a secret becomes known', async () => {
  const secrets: string[] = [];
  const brief = createBriefing(() => secrets);
  const before = await brief(request);

  secrets.push('hush-hush-word');
  const after = await brief(request);

  expect(before.system).toContain('hush-hush-word');
  expect(after.system).not.toContain('hush-hush-word');
});

test('an agent with other instructions is told those', async () => {
  const brief = createBriefing(() => []);
  await brief(request);

  const { system } = await brief({ ...request, agent: { ...agent, instructions: 'Be brief.' } });

  expect(system).toContain('Be brief.');
});
