import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/json.ts';
import {
  ADD_COMMENT,
  change,
  GET_ISSUE,
  openIntegrationServer,
  SEND_EMAIL,
} from '../integration-server.ts';

const NOT_FOUND = 'manifest_resolution.not_found';
const INVALID = 'manifest_validation.invalid_schema';

test.each<[string, unknown, string[]]>([
  [
    'an empty body',
    {},
    [
      'tool_pack is required',
      'manifest or manifest_ref must be an object',
      'request must be an object',
    ],
  ],
  ['an unknown mode', { ...GET_ISSUE, mode: 'dry_run' }, ['mode must be execute or replay']],
  [
    'no manifest',
    { ...GET_ISSUE, manifest_ref: undefined },
    ['manifest or manifest_ref must be an object'],
  ],
  [
    'a manifest that is text',
    { ...GET_ISSUE, manifest: 'x' },
    ['manifest or manifest_ref must be an object'],
  ],
  ['a list as policy', { ...GET_ISSUE, policy: [] }, ['policy must be an object when provided']],
  [
    'an unknown pack',
    { ...GET_ISSUE, tool_pack: 'shell.v1' },
    ['tool_pack is not supported: shell.v1'],
  ],
  [
    'two runs',
    change(GET_ISSUE, { request: { run_id: 'run_9' } }),
    ['request.run_id must equal run_id'],
  ],
])('refuses %s with 400', async (_, body, details) => {
  const { execute } = await openIntegrationServer();

  const answer = await execute(body);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error: { code: 'invalid_request', message: details.join('; '), details },
  });
});

test('wants to know for whom, after the body is well-formed', async () => {
  const { execute } = await openIntegrationServer();

  const nobody = await execute(GET_ISSUE, { nobody: true });
  const malformed = await execute({ ...GET_ISSUE, mode: 'x' }, { nobody: true });

  expect([nobody.status, malformed.status]).toEqual([400, 400]);
  expect(nobody.body).toEqual({
    error: { code: 'invalid_request', message: 'x-oa-user-id header is required' },
  });
  expect(malformed.body).toMatchObject({ error: { message: 'mode must be execute or replay' } });
});

test('grants nothing to a user id in the body, nor to another than the owner of the run', async () => {
  const { execute, github } = await openIntegrationServer();

  const stated = await execute({ ...GET_ISSUE, user_id: 7 });
  const other = await execute(GET_ISSUE, { userId: 7 });
  const unknown = await execute(
    change(GET_ISSUE, { top: { run_id: 'run_9' }, request: { run_id: 'run_9' } }),
  );
  const elsewhere = await execute({ ...GET_ISSUE, thread_id: 'thread_x' });

  expect([stated.status, other.status, unknown.status, elsewhere.status]).toEqual([
    403, 403, 404, 404,
  ]);
  expect(github.requests).toEqual([]);
});

test.each<[string, JsonObject, unknown[]]>([
  [
    'an integration that nobody registered',
    change(GET_ISSUE, {
      top: { manifest_ref: { integration_id: 'github.other' } },
    }),
    [
      {
        reason_code: NOT_FOUND,
        path: 'manifest_ref',
        message: 'github.other is not in the registry',
      },
    ],
  ],
  [
    'a version that does not exist',
    change(GET_ISSUE, {
      top: { manifest_ref: { tool_id: 'github.primary', version: 9 } },
    }),
    [
      {
        reason_code: 'manifest_resolution.tool_not_found',
        path: 'manifest_ref',
        message: 'github.primary is not in the registry in version 9',
      },
    ],
  ],
  [
    'a manifest of another pack',
    change(GET_ISSUE, {
      top: { manifest_ref: { integration_id: 'resend.primary' } },
    }),
    [{ reason_code: INVALID, path: 'tool_pack', message: 'must be coding.v1, as in the call' }],
  ],
  [
    'an operation that is none',
    change(GET_ISSUE, { request: { operation: 'merge' } }),
    ['request.operation is not supported: merge'],
  ],
  [
    'a number that is none',
    change(GET_ISSUE, { request: { issue_number: 0 } }),
    ['request.issue_number must be a positive integer'],
  ],
  [
    'a repository outside its place',
    change(GET_ISSUE, { request: { repository: '../..' } }),
    ['request.repository must be owner/name'],
  ],
  [
    'arguments that no operation has',
    change(GET_ISSUE, { request: { force: true } }),
    ['request.force is unknown'],
  ],
  [
    'another integration than the manifest',
    change(GET_ISSUE, { request: { integration_id: 'x' } }),
    ['request.integration_id must be github.primary, as in the manifest'],
  ],
  [
    'a mail without content',
    change(SEND_EMAIL, { request: { text: undefined } }),
    ['request.text is required, or html in its place'],
  ],
  [
    'two recipients in one',
    change(SEND_EMAIL, { request: { to: 'other@example.com, User <user@example.com>' } }),
    ['request.to.0 must be an e-mail address'],
  ],
  [
    'two recipients without a name in one',
    change(SEND_EMAIL, { request: { cc: ['other,user@example.com'] } }),
    ['request.cc.0 must be an e-mail address'],
  ],
  [
    'a header in a name',
    change(SEND_EMAIL, { request: { from: 'A\r\nBcc: x <user@example.com>' } }),
    ['request.from must be an e-mail address'],
  ],
  [
    'a budget to which spending adds',
    change(GET_ISSUE, { policy: { budget: { max_total_sats: 0, spent_sats: -5 } } }),
    ['policy.budget.spent_sats must not be negative'],
  ],
  [
    'a budget that is no number',
    change(GET_ISSUE, { policy: { budget: { remaining_sats: '5' } } }),
    ['policy.budget.remaining_sats must be an integer'],
  ],
])('refuses %s with 422', async (_, body, details) => {
  const { execute } = await openIntegrationServer();

  const answer = await execute(body);

  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({
    error: { code: 'invalid_request', message: 'tool invocation validation failed', details },
  });
});

test('says what is wrong with each part of a manifest', async () => {
  const { execute } = await openIntegrationServer();
  const manifest = {
    manifest_version: 'coding.integration.v2',
    integration_id: 'github.primary',
    provider: 'gitlab',
    status: 'active',
    tool_pack: 'coding.v1',
    capabilities: ['get_issue'],
    policy: { write_operations_mode: 'enforce', max_requests_per_minute: 0 },
  };

  const { status, body } = await execute({ ...GET_ISSUE, manifest });

  const { details } = (body as { error: { details: { reason_code: string; path: string }[] } })
    .error;
  expect(status).toBe(422);
  expect(details.map(({ reason_code, path }) => [reason_code, path])).toEqual([
    [INVALID, 'secrets_ref'],
    [INVALID, 'manifest_version'],
    [INVALID, 'provider'],
    [INVALID, 'capabilities'],
    [INVALID, 'policy.max_requests_per_minute'],
  ]);
});

test('refuses a call in the name of a run that has ended, and still replays what was made', async () => {
  const { execute, post } = await openIntegrationServer();
  await execute(GET_ISSUE);
  await post('/runs/run_123/cancel', { thread_id: 'thread_abc' });

  const late = await execute(ADD_COMMENT);
  const known = await execute(GET_ISSUE);

  expect(late.status).toBe(409);
  expect(late.body).toEqual({ error: { code: 'conflict', message: 'run run_123 was cancelled' } });
  expect(known.body).toMatchObject({ data: { state: 'succeeded', idempotent_replay: true } });
});
