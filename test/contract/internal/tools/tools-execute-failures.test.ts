import { expect, test } from 'vitest';
import {
  ADD_COMMENT,
  change,
  GET_ISSUE,
  openIntegrationServer,
  SEND_EMAIL,
} from '../integration-server.ts';
import { type AnswerService, json, openServiceServer } from '../service-server.ts';

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
  // What is answered has all the time it needs: a short limit may end before a busy machine has sent the request.
  const limits = answer === hang ? { timeoutMs: 1_000 } : {};
  const { execute, github, runtime } = await openIntegrationServer(limits);
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

test('takes no page for a write that a redirect made a read of', async () => {
  const { execute, github, runtime } = await openIntegrationServer();
  github.answer((request, response) => {
    const isMoved = request.method === 'GET';
    (isMoved ? json(200, []) : json(301, {}, { location: '/elsewhere' }))(request, response);
  });

  const { body } = await execute(ADD_COMMENT);

  expect(body).toMatchObject({
    data: {
      state: 'failed',
      effect: 'unknown',
      message: 'github answered the write with another page to read',
    },
  });
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['unknown']);
});

test('follows a write that has moved, as the write it is', async () => {
  const { execute, github } = await openIntegrationServer();
  github.answer((request, response) => {
    const isMoved = request.path === '/elsewhere';
    (isMoved ? json(201, { id: 99 }) : json(307, {}, { location: '/elsewhere' }))(
      request,
      response,
    );
  });

  const { body } = await execute(ADD_COMMENT);

  expect(body).toMatchObject({ data: { state: 'succeeded', provider_result: { id: 99 } } });
  expect(github.requests.map(({ method, body: sent }) => [method, sent])).toEqual([
    ['POST', '{"body":"Done."}'],
    ['POST', '{"body":"Done."}'],
  ]);
});

const HUGE = `{"number":1747,"title":"${'x'.repeat(3 * 1024 * 1024)}"}`;

test.each<[string, string, string]>([
  ['is no JSON', '<html>log in</html>', 'github answered 200 with no JSON object'],
  ['is a list', '[]', 'github answered 200 with no JSON object'],
  ['does not end', HUGE, 'github answered 200 with more than 2097152 bytes'],
])('fails to read when the answer %s', async (_, text, message) => {
  const { execute, github } = await openIntegrationServer();
  github.answer((__, response) => void response.end(text));

  const { body } = await execute(GET_ISSUE);

  expect(body).toMatchObject({
    data: { state: 'failed', reason_code: 'coding_failed.provider_error', message },
  });
});

test('does not take a write back because its answer can not be read', async () => {
  const { execute, github } = await openIntegrationServer();
  github.answer((_, response) => void response.writeHead(201).end('<html>'));

  const { body } = await execute(ADD_COMMENT);

  expect(body).toMatchObject({ data: { state: 'succeeded', provider_result: {} } });
});

test('bounds what it keeps of an answer', async () => {
  const { execute, github } = await openIntegrationServer();
  const text = 'x'.repeat(300_000);
  github.answer(
    json(200, { title: text, body: text, labels: Array(10_000).fill({ name: text.slice(0, 50) }) }),
  );

  const answer = await execute(GET_ISSUE);

  expect(answer.body).toMatchObject({ data: { state: 'succeeded' } });
  expect(answer.text.length).toBeLessThan(100_000);
});

test('gives up on an answer that comes too slowly', async () => {
  const { execute, github } = await openIntegrationServer({ timeoutMs: 300 });
  github.answer((_, response) => {
    response.write('{');
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });

  const { body } = await execute(GET_ISSUE);

  expect(body).toMatchObject({
    data: { state: 'failed', message: 'github did not answer within 300 ms' },
  });
});

test.each<[number, string | undefined, string]>([
  [302, undefined, 'ssrf_block.redirect_missing_location'],
  [302, 'http://a b/', 'ssrf_block.redirect_invalid_location'],
  [302, 'ftp://127.0.0.1/', 'ssrf_block.invalid_url'],
])('does not follow %i to %j', async (status, location, reasonCode) => {
  const { execute, github } = await openIntegrationServer();
  github.answer(json(status, {}, location === undefined ? {} : { location }));

  const { body } = await execute(GET_ISSUE);

  expect(body).toMatchObject({ data: { state: 'failed', reason_code: reasonCode } });
});

test('blocks a write whose key can not be sent, and has not sent it', async () => {
  const { execute, github, runtime } = await openIntegrationServer();
  await runtime.secrets.put('intsec_github_1', 'ghp_0123456789\r\nx-evil: 1');

  const { body } = await execute(ADD_COMMENT);

  expect(body).toMatchObject({
    data: {
      state: 'blocked',
      reason_code: 'policy_denied.explicit_deny',
      message: "the service's key can't be sent in a header",
    },
  });
  expect(github.requests).toEqual([]);
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['failed']);
});

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

test('does not know about a mail that was lost at first and refused later', async () => {
  const { execute, resend, runtime } = await openIntegrationServer({
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
    if (count === 1) response.destroy();
    else json(401, { message: 'who are you' })(request, response);
  });

  const { body } = await execute(SEND_EMAIL);

  expect(body).toMatchObject({
    data: { state: 'failed', effect: 'unknown', reason_code: 'policy_denied.explicit_deny' },
  });
  expect(resend.requests).toHaveLength(2);
  const { effects } = await runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['unknown']);
});
