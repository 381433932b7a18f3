import { expect, test } from 'vitest';
import { BUILT_IN_MANIFESTS } from '../../../../src/core/integrations/built-in-manifests.ts';
import { OPERATOR } from '../../../../src/core/principal.ts';
import type { Answer } from '../../v1/http-client.ts';
import {
  change,
  GET_ISSUE,
  GITHUB_KEY,
  ISSUE,
  RESEND_KEY,
  SEND_EMAIL,
} from '../integration-server.ts';
import { json, openServiceServer } from '../service-server.ts';
import { createRun, openInternalServer } from '../test-internal-server.ts';

/** The runtime as it is put together for a server, its services where the environment says. */
async function openLive(config: object = {}) {
  const github = await openServiceServer(json(200, ISSUE));
  const resend = await openServiceServer(json(200, { id: 'email_1' }));
  const server = await openInternalServer({
    config,
    env: { GITHUB_API_URL: github.url, RESEND_API_URL: `${resend.url}/` },
    deps: ({ integrations, skills, comms }) => ({
      integrations,
      specRegistry: skills.registry,
      skillReleases: skills.releases,
      deliveryEvents: comms,
    }),
  });
  const { secrets } = server.runtime;
  await secrets.put('intsec_github_1', GITHUB_KEY);
  await secrets.put('intsec_resend_1', RESEND_KEY);
  await createRun(server, 'run_123', { thread_id: 'thread_abc' });
  return {
    ...server,
    github,
    resend,
    execute: (body: unknown) => server.post('/tools/execute', body),
  };
}

const dataOf = ({ body }: Answer) => (body as { data: Record<string, unknown> }).data;

test('reads from GitHub and writes with Resend where the environment says they are', async () => {
  const { execute, github, resend } = await openLive();

  const read = await execute(GET_ISSUE);
  const sent = await execute(SEND_EMAIL);

  expect([dataOf(read)['state'], dataOf(sent)['state']]).toEqual(['succeeded', 'succeeded']);
  expect(github.requests).toMatchObject([
    {
      path: '/repos/OpenAgentsInc/openagents/issues/1747',
      headers: { authorization: `Bearer ${GITHUB_KEY}` },
    },
  ]);
  expect(resend.requests).toMatchObject([
    { path: '/emails', headers: { authorization: `Bearer ${RESEND_KEY}` } },
  ]);
});

test('sends one mail for 64 equal calls at once', async () => {
  const { execute, resend } = await openLive({ tool_reliability: { mode: 'all' } });

  const answers = await Promise.all(Array.from({ length: 64 }, () => execute(SEND_EMAIL)));

  const replays = answers.map((answer) => dataOf(answer)['idempotent_replay']);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 200));
  expect(replays.filter((isReplay) => isReplay === false)).toHaveLength(1);
  expect(resend.requests).toHaveLength(1);
});

test('makes as many calls as the manifest allows, of however many at once', async () => {
  const { execute, github } = await openLive();
  const [builtIn] = BUILT_IN_MANIFESTS;
  const policy = { write_operations_mode: 'enforce', max_requests_per_minute: 5 };
  const manifest = { ...builtIn?.manifest, policy };

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      execute(change(GET_ISSUE, { top: { manifest }, request: { tool_call_id: `call_${index}` } })),
    ),
  );

  const codes = answers.map((answer) => dataOf(answer)['reason_code']);
  expect(codes.filter((code) => code === 'policy_allowed.default')).toHaveLength(5);
  expect(codes.filter((code) => code === 'policy_denied.budget_exhausted')).toHaveLength(15);
  expect(github.requests).toHaveLength(5);
});

test('writes to nobody whose complaint came in, however his address is written', async () => {
  const { execute, post, resend } = await openLive();
  const event = {
    event_id: 'evt_1',
    provider: 'resend',
    delivery_state: 'complained',
    recipient: 'user@bücher.example',
    payload: {},
  };
  expect((await post('/comms/delivery-events', event, { nobody: true })).status).toBe(202);

  const spellings = [
    'user@bücher.example',
    'USER@xn--bcher-kva.example',
    '"User, the" <user@bücher.example>',
    'user@bücher.example.',
  ];
  const answers = [];
  for (const [index, to] of spellings.entries()) {
    const request = { to, tool_call_id: `call_${index}` };
    answers.push(await execute(change(SEND_EMAIL, { request })));
  }

  expect(answers.map((answer) => dataOf(answer)['reason_code'])).toEqual(
    spellings.map(() => 'policy_denied.suppressed_recipient'),
  );
  expect(resend.requests).toEqual([]);
});

test('uses no built-in integration that a stored one has taken out of use', async () => {
  const { execute, runtime, github } = await openLive();
  const [builtIn] = BUILT_IN_MANIFESTS;
  const spec = {
    tool_id: 'github.primary',
    version: 1,
    tool_pack: 'coding.v1',
    name: 'GitHub',
    description: 'No longer used',
    execution_kind: 'http',
    integration_manifest: builtIn?.manifest ?? {},
    commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
  };
  const { registry } = runtime.skills;
  await registry.put('tool', { document: spec, state: 'deprecated', by: OPERATOR });

  const answers = [
    await execute(GET_ISSUE),
    await execute({ ...GET_ISSUE, manifest_ref: { tool_id: 'github.primary', version: 1 } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  expect(answers[0]?.body).toMatchObject({
    error: { details: [{ reason_code: 'manifest_resolution.not_found' }] },
  });
  expect(github.requests).toEqual([]);
});

test('by the id of an integration nobody gets the manifest of a stranger', async () => {
  const { execute, post, github } = await openLive();
  const [builtIn] = BUILT_IN_MANIFESTS;
  const manifest = { ...builtIn?.manifest, status: 'inactive' };
  const tool_spec = {
    ...{ tool_id: 'github.trap', version: 9, tool_pack: 'coding.v1', name: 'GitHub' },
    ...{ description: 'A trap', execution_kind: 'http', integration_manifest: manifest },
    commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
  };

  const stored = await post('/skills/tool-specs', { tool_spec }, { userId: 7 });
  const answer = await execute(GET_ISSUE);

  expect(stored.status).toBe(201);
  expect(dataOf(answer)['state']).toBe('succeeded');
  expect(github.requests).toHaveLength(1);
});

test('a manifest of a caller reaches secrets of integrations and those that are listed, and no other', async () => {
  const { execute, runtime, github } = await openLive({
    integrations: { github: { secret_names: ['deploy/key', 'provider/openai/api_key'] } },
  });
  const names = {
    intsec_team: 'allowed',
    'integration/github/team': 'allowed',
    'deploy/key': 'allowed',
    'integration/resend/team': 'denied',
    'provider/openai/api_key': 'denied',
    'github/token': 'denied',
    'not/stored': 'denied',
  };
  const [builtIn] = BUILT_IN_MANIFESTS;
  const policy = { write_operations_mode: 'enforce', max_requests_per_minute: 100 };
  const answers: Record<string, unknown> = {};

  for (const [index, name] of Object.keys(names).entries()) {
    if (name !== 'not/stored') await runtime.secrets.put(name, `secret-of-${index}`);
    const manifest = {
      ...builtIn?.manifest,
      policy,
      secrets_ref: { provider: 'laravel', key_id: name },
    };
    const data = dataOf(
      await execute(
        change(GET_ISSUE, { top: { manifest }, request: { tool_call_id: `call_${index}` } }),
      ),
    );
    answers[name] = data['decision'];
    if (data['decision'] === 'denied') {
      expect(data).toMatchObject({
        state: 'blocked',
        reason_code: 'policy_denied.explicit_deny',
        message: `secret_not_allowed: ${name} is no secret of github integrations`,
      });
    }
  }

  expect(answers).toEqual(names);
  expect(github.requests.map(({ headers }) => headers['authorization'])).toEqual(
    [0, 1, 2].map((index) => `Bearer secret-of-${index}`),
  );
});
