import { expect, test } from 'vitest';
import { INTEGRATION_TOOLS } from '../../core/integrations/integration-caller.ts';
import { callTool } from '../test-workspace.ts';
import { createIntegrationTools } from './integration-tools.ts';

const MAIL = { from: 'a@example.com', to: 'b@example.com', subject: 'x', text: 'y' };

function createTools(overrides: Partial<Parameters<typeof createIntegrationTools>[0]> = {}) {
  return createIntegrationTools({
    settings: () => ({
      githubBaseUrl: 'http://10.0.0.1',
      resendBaseUrl: 'http://127.0.0.1:1',
      timeoutMs: 1_000,
    }),
    findKey: async () => 'key-0123456789',
    isSuppressed: async () => false,
    ...overrides,
  });
}

const getTool = (tools: ReturnType<typeof createTools>, name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
};

test('are those that tools/execute may call', () => {
  const tools = createTools();

  expect(new Set(tools.map(({ name }) => name))).toEqual(INTEGRATION_TOOLS);
  expect(
    tools.map(({ name, effect, sendsKey, circuit }) => [name, effect, sendsKey, circuit]),
  ).toEqual([
    ['github.get_issue', 'read', false, 'github'],
    ['github.get_pull_request', 'read', false, 'github'],
    ['github.add_issue_comment', 'write', false, 'github'],
    ['resend.send_email', 'write', true, 'resend'],
  ]);
});

test('does not write for an agent to whom the suppression list forbids it', async () => {
  const tools = createTools({ isSuppressed: async (recipient) => recipient === 'b@example.com' });

  const call = callTool(getTool(tools, 'resend.send_email'), MAIL);

  await expect(call).rejects.toMatchObject({
    code: 'policy_denied',
    details: { reason: 'suppressed_recipient' },
  });
});

test('asks no service without its key', async () => {
  const tools = createTools({ findKey: async () => undefined });

  const call = callTool(getTool(tools, 'resend.send_email'), MAIL);

  await expect(call).rejects.toMatchObject({ code: 'policy_denied' });
});

test('does not go to a private address, whoever configured it', async () => {
  const call = callTool(getTool(createTools(), 'github.get_issue'), {
    repository: 'a/b',
    issue_number: 1,
  });

  await expect(call).rejects.toMatchObject({
    code: 'policy_denied',
    details: { reason: 'ssrf_block.private_address' },
  });
});
