import { expect, test } from 'vitest';
import type { RunId } from '../../../../src/core/ids.ts';
import {
  ADD_COMMENT,
  change,
  GET_ISSUE,
  GITHUB_KEY,
  openIntegrationServer,
  RESEND_KEY,
  SEND_EMAIL,
} from '../integration-server.ts';
import { json } from '../service-server.ts';

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
const RUN = 'run_123' as RunId;

test("reads an issue as in the contract's example", async () => {
  const { execute, github } = await openIntegrationServer();

  const { status, body } = await execute(GET_ISSUE);

  expect(status).toBe(200);
  const outcome = {
    integration_id: 'github.primary',
    provider: 'github',
    operation: 'get_issue',
    state: 'succeeded',
    decision: 'allowed',
    reason_code: 'policy_allowed.default',
  };
  expect(body).toEqual({
    data: {
      ...outcome,
      policy: {
        decision: 'allowed',
        reason_code: 'policy_allowed.default',
        reason_codes_version: 'runtime-policy-reasons.v1',
        evaluation_hash: HASH,
      },
      provider_result: {
        id: 7,
        number: 1747,
        title: 'Runtime contract',
        state: 'open',
        html_url: 'https://github.com/OpenAgentsInc/openagents/issues/1747',
        user: 'octocat',
        labels: ['runtime'],
        body: 'Please write it down.',
      },
      receipt: {
        ...outcome,
        receipt_id: expect.stringMatching(/^coding_[0-9a-f]{24}$/),
        replay_hash: HASH,
        reason_codes_version: 'runtime-policy-reasons.v1',
        evaluation_hash: HASH,
        result_hash: HASH,
        manifest: {
          integration_id: 'github.primary',
          manifest_version: 'coding.integration.v1',
          version: 1,
        },
        request: {
          operation: 'get_issue',
          input: { repository: 'OpenAgentsInc/openagents', issue_number: 1747 },
        },
      },
      run_id: 'run_123',
      tool_call_id: 'tool_call_001',
      idempotent_replay: false,
    },
  });
  const { receipt } = (body as { data: { receipt: Record<string, string> } }).data;
  expect(receipt['receipt_id']).toBe(`coding_${receipt['replay_hash']?.slice(0, 24)}`);
  expect(github.requests).toHaveLength(1);
  expect(github.requests[0]).toMatchObject({
    method: 'GET',
    path: '/repos/OpenAgentsInc/openagents/issues/1747',
    headers: { authorization: `Bearer ${GITHUB_KEY}`, accept: 'application/vnd.github+json' },
  });
});

test('records the call in the log of its run, with its origin', async () => {
  const { execute, runtime } = await openIntegrationServer();

  await execute(ADD_COMMENT);

  const events = (await runtime.events(RUN)).slice(1);
  expect(events.map(({ type, payload }) => [type, payload['origin']])).toEqual([
    ['tool.call', 'tools_execute'],
    ['policy.decision', 'tools_execute'],
    ['tool.result', 'tools_execute'],
  ]);
  const [call, decision, result] = events.map(({ payload }) => payload);
  expect(call).toMatchObject({
    tool: 'github.add_issue_comment',
    tool_call_id: 'tool_call_002',
    principal: 'user:42',
    input: { repository: 'OpenAgentsInc/openagents', issue_number: 1747, body: 'Done.' },
  });
  expect(decision).toMatchObject({
    decision: 'allow',
    details: { reason: 'policy_allowed.default' },
  });
  expect(result).toMatchObject({ ok: true, request_id: call?.['request_id'] });
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ id, tool, status }) => [id, tool, status])).toEqual([
    [call?.['request_id'], 'github.add_issue_comment', 'confirmed'],
  ]);
});

test('comments on an issue, and says so once', async () => {
  const { execute, github } = await openIntegrationServer();
  github.answer(json(201, { id: 99, html_url: 'https://github.com/c/99', body: 'Done.' }));

  const first = await execute(ADD_COMMENT);
  const second = await execute(ADD_COMMENT);

  expect(first.body).toMatchObject({
    data: { state: 'succeeded', provider_result: { id: 99 }, idempotent_replay: false },
  });
  const { data } = first.body as { data: object };
  expect(second.body).toEqual({ data: { ...data, idempotent_replay: true } });
  expect(github.requests).toMatchObject([
    {
      method: 'POST',
      path: '/repos/OpenAgentsInc/openagents/issues/1747/comments',
      body: '{"body":"Done."}',
    },
  ]);
});

test('sends a mail with a key that the service honours', async () => {
  const { execute, resend, runtime } = await openIntegrationServer();

  const { body } = await execute(SEND_EMAIL);

  expect(body).toMatchObject({
    data: {
      state: 'succeeded',
      provider_result: { id: 'email_1' },
      receipt: { receipt_id: expect.stringMatching(/^comms_[0-9a-f]{24}$/) },
    },
  });
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(resend.requests).toHaveLength(1);
  expect(resend.requests[0]).toMatchObject({
    method: 'POST',
    path: '/emails',
    headers: { authorization: `Bearer ${RESEND_KEY}`, 'idempotency-key': effects[0]?.id },
  });
  expect(JSON.parse(resend.requests[0]?.body ?? '')).toEqual({
    from: 'Pincer <pincer@example.com>',
    to: ['user@example.com'],
    subject: 'Hello',
    text: 'Hello there.',
  });
});

test('makes one request for 32 equal calls at once', async () => {
  const { execute, github } = await openIntegrationServer();
  github.answer((request, response) => {
    setTimeout(() => json(201, { id: 99 })(request, response), 50);
  });

  const answers = await Promise.all(Array.from({ length: 32 }, () => execute(ADD_COMMENT)));

  const replays = answers.map(
    ({ body }) => (body as { data: { idempotent_replay: boolean } }).data.idempotent_replay,
  );
  const receipts = answers.map(
    ({ body }) => (body as { data: { receipt: { replay_hash: string } } }).data.receipt.replay_hash,
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 200));
  expect(replays.filter((isReplay) => !isReplay)).toHaveLength(1);
  expect(new Set(receipts).size).toBe(1);
  expect(github.requests).toHaveLength(1);
});

test('answers a replay with the stored receipt and asks nobody', async () => {
  const { execute, github } = await openIntegrationServer();
  const first = await execute(GET_ISSUE);

  const whole = await execute({ ...GET_ISSUE, mode: 'replay' });
  const short = await execute({
    tool_pack: 'coding.v1',
    mode: 'replay',
    run_id: 'run_123',
    request: { tool_call_id: 'tool_call_001' },
  });

  const { data } = first.body as { data: object };
  expect([whole.status, short.status]).toEqual([200, 200]);
  expect(whole.body).toEqual({ data: { ...data, idempotent_replay: true } });
  expect(short.body).toEqual(whole.body);
  expect(github.requests).toHaveLength(1);
});

test('has no receipt of a call that nobody made', async () => {
  const { execute } = await openIntegrationServer();

  const { status, body } = await execute({ ...GET_ISSUE, mode: 'replay' });

  expect(status).toBe(404);
  expect(body).toEqual({
    error: { code: 'not_found', message: 'run run_123 has no receipt of tool_call_001' },
  });
});

test('refuses another request under an id that was used', async () => {
  const { execute, github } = await openIntegrationServer();
  await execute(GET_ISSUE);
  const other = change(GET_ISSUE, { request: { issue_number: 1 } });

  const executed = await execute(other);
  const replayed = await execute({ ...other, mode: 'replay' });

  const message = 'tool_call_id tool_call_001 was used for another request';
  expect([executed.status, replayed.status]).toEqual([409, 409]);
  expect(executed.body).toEqual({ error: { code: 'conflict', message } });
  expect(replayed.body).toEqual({ error: { code: 'conflict', message } });
  expect(github.requests).toHaveLength(1);
});

test('makes a call without a run each time, with equal receipts for equal answers', async () => {
  const { execute, github } = await openIntegrationServer();
  const { run_id: _run, thread_id: _thread, ...loose } = GET_ISSUE;
  const body = change(loose, { request: { run_id: undefined } });

  const answers = [await execute(body), await execute(body)];

  const [first, second] = answers.map(
    (answer) =>
      (answer.body as { data: { receipt: object; run_id: null; tool_call_id: string } }).data,
  );
  expect(first?.run_id).toBeNull();
  expect(first?.tool_call_id).not.toBe(second?.tool_call_id);
  expect(first?.receipt).toEqual(second?.receipt);
  expect(github.requests).toHaveLength(2);
});

test('takes a manifest that comes with the call before the one it names', async () => {
  const { execute, github, runtime } = await openIntegrationServer();
  await runtime.secrets.put('intsec_github_custom', 'ghp_custom0123456789abcdefghij');
  const manifest = {
    manifest_version: 'coding.integration.v1',
    integration_id: 'github.custom',
    provider: 'github',
    status: 'active',
    tool_pack: 'coding.v1',
    capabilities: ['get_issue', 'get_pull_request'],
    secrets_ref: { provider: 'laravel', key_id: 'intsec_github_custom' },
    policy: {
      write_operations_mode: 'enforce',
      max_requests_per_minute: 120,
      default_repository: 'acme/site',
    },
  };

  const { status, body } = await execute(
    change(GET_ISSUE, {
      top: { manifest },
      request: { integration_id: 'github.custom', repository: undefined, issue_number: '7' },
    }),
  );

  expect([status, body]).toMatchObject([200, { data: { state: 'succeeded' } }]);
  expect(github.requests).toMatchObject([
    {
      path: '/repos/acme/site/issues/7',
      headers: { authorization: 'Bearer ghp_custom0123456789abcdefghij' },
    },
  ]);
});

test('uses a tool spec of the registry', async () => {
  const { execute, post, github, runtime } = await openIntegrationServer();
  await runtime.secrets.put('intsec_team', 'ghp_team0123456789abcdefghijkl');
  const spec = {
    tool_id: 'github.team',
    version: 3,
    tool_pack: 'coding.v1',
    name: 'GitHub of the team',
    description: 'Reads issues',
    execution_kind: 'http',
    integration_manifest: {
      manifest_version: 'coding.integration.v1',
      integration_id: 'github.team',
      provider: 'github',
      status: 'active',
      tool_pack: 'coding.v1',
      capabilities: ['get_issue', 'get_pull_request'],
      secrets_ref: { provider: 'laravel', key_id: 'intsec_team' },
      policy: { write_operations_mode: 'enforce', max_requests_per_minute: 1 },
    },
    commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
  };
  expect((await post('/skills/tool-specs', { state: 'validated', tool_spec: spec })).status).toBe(
    201,
  );
  const call = (toolCallId: string) =>
    execute(
      change(GET_ISSUE, {
        top: { manifest_ref: { tool_id: 'github.team' } },
        request: { integration_id: 'github.team', tool_call_id: toolCallId },
      }),
    );

  const first = await call('a');
  const second = await call('b');

  expect(first.body).toMatchObject({ data: { state: 'succeeded' } });
  expect(second.body).toMatchObject({
    data: { state: 'blocked', reason_code: 'policy_denied.budget_exhausted' },
  });
  expect(github.requests).toHaveLength(1);
});

test('keeps the keys of services out of everything that is stored and answered', async () => {
  const { execute, github, runtime } = await openIntegrationServer();
  github.answer((request, response) => {
    json(200, { number: 1, title: `you sent ${request.headers.authorization}` })(request, response);
  });

  const { text } = await execute(GET_ISSUE);

  const stored = JSON.stringify([
    await runtime.events(RUN),
    await runtime.storage.receipts.find({ scope: RUN, callId: 'tool_call_001' }),
  ]);
  expect(text).toContain('you sent Bearer [REDACTED]');
  expect(text).not.toContain(GITHUB_KEY);
  expect(stored).toContain('you sent');
  expect(stored).not.toContain(GITHUB_KEY);
});
