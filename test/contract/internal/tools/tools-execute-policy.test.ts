import { expect, test } from 'vitest';
import { digestRecipient } from '../../../../src/core/comms/recipient.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import {
  ADD_COMMENT,
  change,
  GET_ISSUE,
  openIntegrationServer,
  SEND_EMAIL,
} from '../integration-server.ts';

test.each<[string, JsonObject]>([
  ['policy_denied.authorization_missing', { ...GET_ISSUE, policy: {} }],
  [
    'policy_denied.invalid_authorization_mode',
    change(GET_ISSUE, { policy: { authorization_mode: 'root' } }),
  ],
  ['policy_denied.explicit_deny', change(GET_ISSUE, { policy: { authorization_mode: 'deny' } })],
  [
    'policy_denied.budget_exhausted',
    change(GET_ISSUE, { policy: { budget: { max_total_sats: 0 } } }),
  ],
  [
    'policy_denied.budget_exhausted',
    change(GET_ISSUE, { policy: { budget: { remaining_sats: 0 } } }),
  ],
  [
    'policy_denied.budget_exhausted',
    change(GET_ISSUE, {
      policy: {
        budget: { max_total_sats: 10, spent_sats: 6, reserved_sats: 4, remaining_sats: 9 },
      },
    }),
  ],
  [
    'policy_denied.authorization_revoked',
    change(GET_ISSUE, {
      policy: {
        policy: { decision: 'denied', reason_code: 'policy_denied.authorization_revoked' },
      },
    }),
  ],
  [
    'policy_denied.explicit_deny',
    change(GET_ISSUE, {
      policy: { policy: { decision: 'denied', reason_code: 'policy_allowed.default' } },
    }),
  ],
  ['policy_denied.explicit_deny', change(ADD_COMMENT, { policy: { write_approved: 'true' } })],
  ['policy_denied.explicit_deny', change(SEND_EMAIL, { policy: { write_approved: false } })],
])('blocks with %s and asks nobody', async (reasonCode, body) => {
  const { execute, github, resend } = await openIntegrationServer();

  const answer = await execute(body);

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    data: {
      state: 'blocked',
      decision: 'denied',
      reason_code: reasonCode,
      policy: { decision: 'denied', reason_code: reasonCode },
      provider_result: null,
      receipt: { state: 'blocked', reason_code: reasonCode },
    },
  });
  expect([...github.requests, ...resend.requests]).toEqual([]);
});

test('blocks what a manifest that is not active would do', async () => {
  const { execute, runtime, github } = await openIntegrationServer();
  await runtime.secrets.put('intsec_x', 'ghp_x0123456789abcdefghijklmno');
  const manifest = {
    manifest_version: 'coding.integration.v1',
    integration_id: 'github.primary',
    provider: 'github',
    status: 'inactive',
    tool_pack: 'coding.v1',
    capabilities: ['get_issue', 'get_pull_request'],
    secrets_ref: { provider: 'laravel', key_id: 'intsec_x' },
    policy: { write_operations_mode: 'enforce', max_requests_per_minute: 1 },
  };

  const { body } = await execute({ ...GET_ISSUE, manifest });

  expect(body).toMatchObject({
    data: {
      state: 'blocked',
      reason_code: 'policy_denied.explicit_deny',
      message: 'integration github.primary is inactive',
    },
  });
  expect(github.requests).toEqual([]);
});

test('blocks a call whose key is missing, or belongs to a model provider', async () => {
  const { execute, runtime, github } = await openIntegrationServer();
  await runtime.secrets.remove('intsec_github_1');
  await runtime.secrets.put('provider/openai/api_key', 'sk-test-0123456789abcdef');
  const manifest = {
    manifest_version: 'coding.integration.v1',
    integration_id: 'github.primary',
    provider: 'github',
    status: 'active',
    tool_pack: 'coding.v1',
    capabilities: ['get_issue', 'get_pull_request'],
    secrets_ref: { provider: 'laravel', key_id: 'provider/openai/api_key' },
    policy: { write_operations_mode: 'enforce', max_requests_per_minute: 1 },
  };

  const missing = await execute(GET_ISSUE);
  const foreign = await execute({ ...GET_ISSUE, manifest });

  const denied = { state: 'blocked', reason_code: 'policy_denied.explicit_deny' };
  const message = 'missing_api_token: there is no secret';
  expect(missing.body).toMatchObject({
    data: { ...denied, message: `${message} intsec_github_1` },
  });
  expect(foreign.body).toMatchObject({
    data: {
      ...denied,
      message: 'secret_not_allowed: provider/openai/api_key is no secret of github integrations',
    },
  });
  expect(github.requests).toEqual([]);
});

test('makes a call under its id once it is approved', async () => {
  const { execute, github } = await openIntegrationServer();

  const denied = await execute(change(ADD_COMMENT, { policy: { write_approved: false } }));
  const allowed = await execute(ADD_COMMENT);
  const again = await execute(change(ADD_COMMENT, { policy: { write_approved: false } }));

  expect(denied.body).toMatchObject({ data: { state: 'blocked' } });
  expect(allowed.body).toMatchObject({ data: { state: 'succeeded', idempotent_replay: false } });
  expect(again.body).toMatchObject({ data: { state: 'succeeded', idempotent_replay: true } });
  expect(github.requests).toHaveLength(1);
});

test('obeys the rules of the operator', async () => {
  const rules = [{ tool: 'github.*', decision: 'deny' }];
  const { execute, github } = await openIntegrationServer({ config: { policy: { rules } } });

  const { body } = await execute(ADD_COMMENT);

  expect(body).toMatchObject({
    data: {
      state: 'blocked',
      reason_code: 'policy_denied.explicit_deny',
      message: 'a rule denies github.add_issue_comment',
    },
  });
  expect(github.requests).toEqual([]);
});

test('lets no write pass in the mode that only reads', async () => {
  const { execute, github } = await openIntegrationServer({
    config: { policy: { mode: 'read-only' } },
  });

  const written = await execute(ADD_COMMENT);
  const read = await execute(GET_ISSUE);

  expect(written.body).toMatchObject({ data: { state: 'blocked' } });
  expect(read.body).toMatchObject({ data: { state: 'succeeded' } });
  expect(github.requests).toHaveLength(1);
});

test('writes to nobody who is on the suppression list, also as a copy', async () => {
  const { execute, resend, runtime } = await openIntegrationServer();
  await runtime.storage.comms.ingest({
    provider: 'resend',
    eventId: 'evt_1',
    digest: 'digest',
    state: 'complained',
    messageId: undefined,
    integrationId: undefined,
    recipientDigest: digestRecipient('user@example.com'),
    occurredAtMs: undefined,
    reason: undefined,
    payload: '{}',
  });

  const direct = await execute(SEND_EMAIL);
  const copied = await execute(
    change(SEND_EMAIL, {
      request: {
        to: ['a@example.com'],
        cc: ['User <USER@example.com>'],
        tool_call_id: 'tool_call_004',
      },
    }),
  );

  const data = { state: 'blocked', reason_code: 'policy_denied.suppressed_recipient' };
  expect(direct.body).toMatchObject({ data });
  expect(copied.body).toMatchObject({ data });
  expect(resend.requests).toEqual([]);
});

test('asks for consent where the manifest wants it', async () => {
  const { execute, resend } = await openIntegrationServer();
  const manifest = {
    manifest_version: 'comms.integration.v1',
    integration_id: 'resend.primary',
    provider: 'resend',
    status: 'active',
    tool_pack: 'comms.v1',
    capabilities: ['send', 'record_delivery_event'],
    secrets_ref: { provider: 'laravel', key_id: 'intsec_resend_1' },
    policy: { consent_required: true, suppression_mode: 'enforce', max_send_per_minute: 120 },
    webhook: { verification: 'hmac_sha256', events: ['delivered'] },
  };

  const refused = await execute({ ...SEND_EMAIL, manifest });
  const agreed = await execute(
    change(SEND_EMAIL, { top: { manifest }, request: { consent_granted: true } }),
  );

  expect(refused.body).toMatchObject({
    data: { state: 'blocked', reason_code: 'policy_denied.consent_required' },
  });
  expect(agreed.body).toMatchObject({ data: { state: 'succeeded' } });
  expect(resend.requests).toHaveLength(1);
});
