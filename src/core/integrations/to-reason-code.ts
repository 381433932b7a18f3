import type { ToolFault } from '../tools/envelope.ts';
import type { ToolPack } from './manifest.ts';
import { isReasonCode, type ReasonCode } from './reason-codes.ts';

const FAILURES = {
  'coding.v1': {
    error: 'coding_failed.provider_error',
    open: 'coding_failed.provider_circuit_open',
  },
  'comms.v1': { error: 'comms_failed.provider_error', open: 'comms_failed.provider_circuit_open' },
} as const satisfies Record<ToolPack, Record<string, ReasonCode>>;

/** Why a call failed, in the words of the taxonomy. */
export function toReasonCode(pack: ToolPack, { code, details }: ToolFault): ReasonCode {
  const failures = FAILURES[pack];
  if (code === 'circuit_open') return failures.open;
  const { reason, status, rate_limited: isRateLimited } = details ?? {};
  if (typeof reason === 'string' && reason.startsWith('ssrf_block.')) {
    return isReasonCode(reason) ? reason : 'ssrf_block.host_not_allowed';
  }
  // GitHub says 403 where others say 429.
  if (status === 429 || isRateLimited === true) return 'policy_denied.budget_exhausted';
  if (status === 400 || status === 422) return 'manifest_validation.invalid_schema';
  if (status === 401 || status === 403) return 'policy_denied.explicit_deny';
  return failures.error;
}
