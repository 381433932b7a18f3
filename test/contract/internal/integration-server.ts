import { onTestFinished } from 'vitest';
import { assembleSkills } from '../../../src/assembly/assemble-skills.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Answer } from '../v1/http-client.ts';
import { json, openServiceServer, type ServiceServer } from './service-server.ts';
import type { SignedCall } from './signed-client.ts';
import { openTestIntegrations } from './test-integrations.ts';
import { createRun, type InternalServer, openInternalServer } from './test-internal-server.ts';

export const GITHUB_KEY = 'ghp_0123456789abcdefghijABCDEFGHIJ';
export const RESEND_KEY = 're_12345678_abcdefghijklmnopqrstuvwx';

export const ISSUE = {
  id: 7,
  number: 1747,
  title: 'Runtime contract',
  state: 'open',
  html_url: 'https://github.com/OpenAgentsInc/openagents/issues/1747',
  user: { login: 'octocat', id: 1 },
  labels: [{ name: 'runtime' }],
  body: 'Please write it down.',
};

/** The contract's own example, of a run that exists. */
export const GET_ISSUE: JsonObject = {
  tool_pack: 'coding.v1',
  mode: 'execute',
  run_id: 'run_123',
  thread_id: 'thread_abc',
  manifest_ref: { integration_id: 'github.primary' },
  request: {
    integration_id: 'github.primary',
    operation: 'get_issue',
    repository: 'OpenAgentsInc/openagents',
    issue_number: 1747,
    run_id: 'run_123',
    tool_call_id: 'tool_call_001',
  },
  policy: {
    authorization_id: 'auth_abc',
    authorization_mode: 'delegated_budget',
    budget: { max_total_sats: 5000 },
  },
};

export const ADD_COMMENT: JsonObject = {
  ...GET_ISSUE,
  request: {
    integration_id: 'github.primary',
    operation: 'add_issue_comment',
    repository: 'OpenAgentsInc/openagents',
    issue_number: 1747,
    body: 'Done.',
    tool_call_id: 'tool_call_002',
  },
  policy: { authorization_id: 'auth_abc', write_approved: true },
};

export const SEND_EMAIL: JsonObject = {
  tool_pack: 'comms.v1',
  run_id: 'run_123',
  manifest_ref: { tool_id: 'resend.primary', version: 1 },
  request: {
    integration_id: 'resend.primary',
    operation: 'send_email',
    from: 'Pincer <pincer@example.com>',
    to: 'user@example.com',
    subject: 'Hello',
    text: 'Hello there.',
    tool_call_id: 'tool_call_003',
  },
  policy: { authorization_id: 'auth_abc', write_approved: true },
};

export interface IntegrationServer extends InternalServer {
  readonly github: ServiceServer;
  readonly resend: ServiceServer;
  execute(body: unknown, options?: SignedCall): Promise<Answer>;
}

/** `/internal/v1` with the run `run_123`, keys for both services, and servers that stand for them. */
export async function openIntegrationServer(
  options: { readonly config?: object; readonly timeoutMs?: number } = {},
): Promise<IntegrationServer> {
  const github = await openServiceServer(json(200, ISSUE));
  const resend = await openServiceServer(json(200, { id: 'email_1' }));
  const { config = {}, timeoutMs = 10_000 } = options;
  const server = await openInternalServer({
    config: { tool_reliability: { mode: 'off' }, ...config },
    async deps(runtime) {
      const urls = { githubBaseUrl: github.url, resendBaseUrl: resend.url };
      const opened = await openTestIntegrations(runtime, { ...urls, timeoutMs });
      onTestFinished(() => opened.close());
      const { registry, releases } = assembleSkills(runtime).skills;
      const { integrations } = opened;
      return { integrations, specRegistry: registry, skillReleases: releases };
    },
  });
  await server.runtime.secrets.put('intsec_github_1', GITHUB_KEY);
  await server.runtime.secrets.put('intsec_resend_1', RESEND_KEY);
  await createRun(server, 'run_123', { thread_id: 'thread_abc' });
  const execute = (body: unknown, call?: SignedCall) => server.post('/tools/execute', body, call);
  return { ...server, github, resend, execute };
}

/** The example with other fields in its request, policy or at its top. */
export function change(
  base: JsonObject,
  changes: { readonly request?: object; readonly policy?: object; readonly top?: object },
): JsonObject {
  return {
    ...base,
    request: { ...(base['request'] as object), ...changes.request },
    policy: { ...(base['policy'] as object), ...changes.policy },
    ...changes.top,
  } as JsonObject;
}
