import { expect, test } from 'vitest';
import {
  ADD_COMMENT,
  change,
  GET_ISSUE,
  openIntegrationServer,
  SEND_EMAIL,
} from './integration-server.ts';
import { type AnswerService, json, openServiceServer } from './service-server.ts';

test.each<[number, Record<string, string>, string]>([
  [400, {}, 'manifest_validation.invalid_schema'],
  [422, {}, 'manifest_validation.invalid_schema'],
  [401, {}, 'policy_denied.explicit_deny'],
  [403, {}, 'policy_denied.explicit_deny'],
  [403, { 'x-ratelimit-remaining': '0' }, 'policy_denied.budget_exhausted'],
  [429, {}, 'policy_denied.budget_exhausted'],
  [404, {}, 'coding_failed.provider_error'],
  [500, {}, 'coding_failed.provider_error'],
  [503, {}, 'coding_failed.provider_error'],
])('reports %i %j of the service as %s', async (status, headers, reasonCode) => {
  const { execute, github } = await openIntegrationServer();
  github.answer(json(status, { message: 'no' }, headers));

  const answer = await execute(GET_ISSUE);

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    data: {
      state: 'failed',
      decision: 'denied',
      reason_code: reasonCode,
      policy: { decision: 'allowed', reason_code: 'policy_allowed.default' },
      provider_result: { error: { code: 'tool_failed', status } },
      receipt: { state: 'failed', reason_code: reasonCode },
    },
  });
});

const hangUp: AnswerService = (_, response) => response.destroy();
const hang: AnswerService = () => {};

test.each<[string, AnswerService]>([
  ['hangs up', hangUp],
  ['does not answer', hang],
  ['fails', json(500, {})],
  ['is down behind its proxy', json(502, {})],
])('does not know about a comment when the service %s', async (_, answer) => {
  const { execute, github, runtime } = await openIntegrationServer({ timeoutMs: 300 });
  github.answer(answer);

  const first = await execute(ADD_COMMENT);
  const second = await execute(ADD_COMMENT);

  const failed = {
    state: 'failed',
    effect: 'unknown',
    reason_code: 'coding_failed.provider_error',
  };
  expect(first.body).toMatchObject({ data: { ...failed, idempotent_replay: false } });
  expect(second.body).toMatchObject({ data: { ...failed, idempotent_replay: true } });
  expect(github.requests).toHaveLength(1);
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['unknown']);
});

test('knows that a comment which was refused did not happen', async () => {
  const { execute, github, runtime } = await openIntegrationServer();
  github.answer(json(422, { message: 'Validation Failed' }));

  const { body } = await execute(ADD_COMMENT);

  expect(body).toMatchObject({
    data: {
      state: 'failed',
      message: 'github answered 422: Validation Failed',
      provider_result: { error: { effect: 'none' } },
    },
  });
  expect((body as { data: object }).data).not.toHaveProperty('effect');
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['failed']);
});

test('follows a redirect within the service, and two at most', async () => {
  const { execute, github } = await openIntegrationServer();
  const moved = json(301, {}, { location: '/repositories/1/issues/1747' });
  github.answer((request, response) => {
    const isNew = request.path === '/repositories/1/issues/1747';
    (isNew ? json(200, { number: 1747 }) : moved)(request, response);
  });
  const followed = await execute(GET_ISSUE);
  github.answer(moved);

  const lost = await execute(change(GET_ISSUE, { request: { tool_call_id: 'b' } }));

  expect(followed.body).toMatchObject({
    data: { state: 'succeeded', provider_result: { number: 1747 } },
  });
  expect(lost.body).toMatchObject({
    data: { state: 'failed', reason_code: 'ssrf_block.redirect_limit_exceeded' },
  });
  expect(github.requests).toHaveLength(2 + 3);
});

test.each(['/to-another-port', 'http://169.254.169.254/latest', 'http://10.0.0.1/'])(
  'does not follow the service to %s',
  async (location) => {
    const { execute, github } = await openIntegrationServer();
    const trap = await openServiceServer(json(200, {}));
    const target = location.startsWith('/') ? `${trap.url}${location}` : location;
    github.answer(json(302, {}, { location: target }));

    const { body } = await execute(GET_ISSUE);

    expect(body).toMatchObject({
      data: { state: 'failed', reason_code: 'ssrf_block.host_not_allowed' },
    });
    expect(trap.requests).toEqual([]);
  },
);

test('opens one circuit for all operations of a service', async () => {
  const { execute, github } = await openIntegrationServer({
    config: {
      tool_reliability: {
        mode: 'all',
        overrides: {
          'github.*': { breaker: { failure_threshold: 2 }, retry: { max_retries: 0 } },
        },
      },
    },
  });
  github.answer(json(500, {}));
  const read = (toolCallId: string) =>
    execute(change(GET_ISSUE, { request: { tool_call_id: toolCallId } }));
  await read('a');
  await read('b');

  const other = await execute(ADD_COMMENT);
  const repeated = await read('a');

  expect(other.body).toMatchObject({
    data: { state: 'failed', reason_code: 'coding_failed.provider_circuit_open' },
  });
  expect((other.body as { data: object }).data).not.toHaveProperty('effect');
  expect(repeated.body).toMatchObject({
    data: { reason_code: 'coding_failed.provider_error', idempotent_replay: true },
  });
  expect(github.requests).toHaveLength(2);
});

test('tries a mail again under one key, where that is switched on', async () => {
  const { execute, resend } = await openIntegrationServer({
    config: {
      tool_reliability: {
        mode: 'all',
        overrides: { 'resend.*': { retry: { initial_delay_ms: 1, max_delay_ms: 1 } } },
      },
    },
  });
  let count = 0;
  resend.answer((request, response) => {
    count += 1;
    (count === 1 ? json(503, {}) : json(200, { id: 'email_1' }))(request, response);
  });

  const { body } = await execute(SEND_EMAIL);

  expect(body).toMatchObject({ data: { state: 'succeeded', provider_result: { id: 'email_1' } } });
  const keys = resend.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});
