import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import {
  ADD_COMMENT,
  change,
  GET_ISSUE,
  openIntegrationServer,
  SEND_EMAIL,
} from '../integration-server.ts';
import { json } from '../service-server.ts';

/** RFC 8785 as docs/integrations.md names it, written anew: who checks a receipt has not our code. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

const hash = (value: JsonValue) =>
  createHash('sha256').update(canonical(value), 'utf8').digest('hex');

interface Data {
  readonly state: string;
  readonly provider_result: JsonObject | null;
  readonly receipt: Record<string, JsonValue>;
}

/** The three hashes and the id, from the answer and what its caller sent. */
function recompute({ provider_result, receipt }: Data, policy: JsonObject): JsonObject {
  const { manifest, request, decision, reason_code, evaluation_hash, result_hash } = receipt;
  const facts = { manifest, request, decision, reason_code, evaluation_hash, result_hash };
  const replayHash = hash(facts as JsonObject);
  const prefix = receipt['provider'] === 'github' ? 'coding' : 'comms';
  const isBlocked = receipt['state'] === 'blocked';
  const budget = (policy['budget'] ?? {}) as JsonObject;
  return {
    result_hash: hash(provider_result),
    replay_hash: replayHash,
    receipt_id: `${prefix}_${replayHash.slice(0, 24)}`,
    evaluation_hash: hash({
      decision: isBlocked ? 'denied' : 'allowed',
      reason_code: isBlocked ? (reason_code as string) : 'policy_allowed.default',
      reason_codes_version: 'runtime-policy-reasons.v1',
      policy_id: `${prefix}.execute.v1`,
      authorization_id: policy['authorization_id'] ?? null,
      authorization_mode: policy['authorization_mode'] ?? null,
      operation: receipt['operation'] as string,
      write_approved: policy['write_approved'] === true,
      consent_granted: policy['consent_granted'] === true,
      budget: {
        max_total_sats: budget['max_total_sats'] ?? null,
        spent_sats: budget['spent_sats'] ?? null,
        reserved_sats: budget['reserved_sats'] ?? null,
        remaining_sats: budget['remaining_sats'] ?? null,
      },
    }),
  };
}

const ODD = 'é 🦀 \u2028 "quoted" \\ \u0007 \ud800';

test.each<[string, JsonObject, number, JsonObject]>([
  ['succeeded', GET_ISSUE, 200, { number: 1747, title: ODD, comments: 1e21, id: 1.5 }],
  ['succeeded', change(ADD_COMMENT, { request: { body: ODD } }), 201, { id: 99, body: ODD }],
  ['succeeded', SEND_EMAIL, 200, { id: 'email_1' }],
  ['failed', SEND_EMAIL, 422, { message: 'no: sk-live-0123456789abcdef0123456789' }],
  ['failed', ADD_COMMENT, 500, {}],
  [
    'blocked',
    change(GET_ISSUE, { policy: { budget: { max_total_sats: 5, spent_sats: 5 } } }),
    200,
    {},
  ],
])('can be checked by whoever has the answer: %s', async (state, body, status, answer) => {
  const { execute, github, resend } = await openIntegrationServer();
  github.answer(json(status, answer));
  resend.answer(json(status, answer));

  const first = await execute(body);
  const replayed = await execute({ ...body, mode: 'replay' });

  const [data, again] = [first, replayed].map((one) => (one.body as { data: Data }).data);
  if (!data || !again) throw new Error('there is no answer');
  expect(data.state).toBe(state);
  expect(data.receipt).toMatchObject(recompute(data, body['policy'] as JsonObject));
  expect(again.receipt).toEqual(data.receipt);
  expect(again.provider_result).toEqual(data.provider_result);
  expect(first.text).not.toContain('sk-live-0123456789abcdef0123456789');
});
