import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../json.ts';
import { createReceipt, type ReceiptFacts } from './receipt.ts';

const FACTS: ReceiptFacts = {
  toolPack: 'coding.v1',
  integrationId: 'github.primary',
  manifestVersion: 'coding.integration.v1',
  specVersion: 1,
  provider: 'github',
  operation: 'get_issue',
  input: { repository: 'a/b', issue_number: 1 },
  state: 'succeeded',
  reasonCode: 'policy_allowed.default',
  evaluationHash: 'e'.repeat(64),
  result: { number: 1 },
};

const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

test('can be checked by whoever has its parts', () => {
  const resultHash = sha256({ number: 1 });
  const replayHash = sha256({
    manifest: {
      integration_id: 'github.primary',
      manifest_version: 'coding.integration.v1',
      version: 1,
    },
    request: { operation: 'get_issue', input: { repository: 'a/b', issue_number: 1 } },
    decision: 'allowed',
    reason_code: 'policy_allowed.default',
    evaluation_hash: 'e'.repeat(64),
    result_hash: resultHash,
  });

  expect(createReceipt(FACTS)).toEqual({
    receiptId: `coding_${replayHash.slice(0, 24)}`,
    replayHash,
    integrationId: 'github.primary',
    provider: 'github',
    operation: 'get_issue',
    state: 'succeeded',
    decision: 'allowed',
    reasonCode: 'policy_allowed.default',
    evaluationHash: 'e'.repeat(64),
    resultHash,
    manifestVersion: 'coding.integration.v1',
    specVersion: 1,
    input: { repository: 'a/b', issue_number: 1 },
  });
});

test.each<Partial<ReceiptFacts>>([
  { integrationId: 'github.other' },
  { specVersion: 2 },
  { specVersion: null },
  { operation: 'get_pull_request' },
  { input: { repository: 'a/b', issue_number: 2 } },
  { state: 'failed', reasonCode: 'coding_failed.provider_error' },
  { evaluationHash: 'f'.repeat(64) },
  { result: { number: 2 } },
  { result: null },
])('differs with %j', (change) => {
  const { replayHash } = createReceipt({ ...FACTS, ...change });

  expect(replayHash).not.toBe(createReceipt(FACTS).replayHash);
});
