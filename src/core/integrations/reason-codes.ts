/** Why an operation of a tool pack was allowed, denied or failed: `runtime-policy-reasons.v1`, to the letter. */
const REASON_CODES = [
  'policy_allowed.default',
  'policy_denied.explicit_deny',
  'policy_denied.consent_required',
  'policy_denied.suppressed_recipient',
  'policy_denied.authorization_missing',
  'policy_denied.authorization_expired',
  'policy_denied.authorization_revoked',
  'policy_denied.invalid_authorization_mode',
  'policy_denied.budget_exhausted',
  'loop_detected.no_progress',
  'ssrf_block.private_address',
  'ssrf_block.metadata_endpoint',
  'ssrf_block.host_not_allowed',
  'ssrf_block.invalid_url',
  'ssrf_block.dns_resolution_failed',
  'ssrf_block.dns_pin_mismatch',
  'ssrf_block.redirect_limit_exceeded',
  'ssrf_block.redirect_missing_location',
  'ssrf_block.redirect_invalid_location',
  'manifest_validation.invalid_schema',
  'comms_failed.provider_error',
  'comms_failed.provider_circuit_open',
  'comms_failed.fallback_exhausted',
  'coding_failed.provider_error',
  'coding_failed.provider_circuit_open',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

export const REASON_CODES_VERSION = 'runtime-policy-reasons.v1';

const KNOWN: ReadonlySet<string> = new Set(REASON_CODES);

export function isReasonCode(value: unknown): value is ReasonCode {
  return typeof value === 'string' && KNOWN.has(value);
}
