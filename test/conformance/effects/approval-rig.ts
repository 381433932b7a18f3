import type { NewApproval } from '../../../src/core/approvals/approval.ts';
import { createIds } from '../../../src/core/create-ids.ts';
import { draft } from '../harness.ts';

const ids = createIds(() => Date.now());

export const TTL_MS = 60_000;

export function newApproval(overrides: Partial<NewApproval> = {}): NewApproval {
  return {
    id: ids.approval(),
    requestId: ids.request(),
    tool: 'shell.exec',
    callId: 'call_1',
    input: '{"command":"rm x"}',
    inputDigest: 'digest',
    reason: 'the rules say: ask',
    ttlMs: TTL_MS,
    ...overrides,
  };
}

export const asked = () => draft('policy.decision', { decision: 'ask' });
