import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import type { KeyCheck } from './keyring.ts';
import type { IntegrationManifest, ToolPack } from './manifest.ts';
import type { Authority, Budget } from './parse-authority.ts';
import type { Operation } from './parse-operation.ts';
import { REASON_CODES_VERSION, type ReasonCode } from './reason-codes.ts';

/** What there is to know about a call before it is made. */
export interface PolicyFacts {
  readonly manifest: IntegrationManifest;
  readonly operation: Pick<Operation, 'name' | 'isWrite'>;
  readonly authority: Authority;
  /** Of the same owner with the same integration within the last minute. */
  readonly recentCalls: number;
  readonly isSuppressed: boolean;
  readonly key: KeyCheck;
}

export interface Evaluation {
  readonly decision: 'allowed' | 'denied';
  readonly reasonCode: ReasonCode;
  /** For people. */
  readonly message: string;
  /** Equal for equal decisions on equal grounds, whenever they are made. */
  readonly evaluationHash: string;
}

const POLICY_IDS: Readonly<Record<ToolPack, string>> = {
  'coding.v1': 'coding.execute.v1',
  'comms.v1': 'comms.execute.v1',
};

const MODES = new Set([
  'delegated_budget',
  'delegated_budget_with_threshold',
  'interactive',
  'deny',
  'system',
]);

type Denial = readonly [reasonCode: ReasonCode, message: string];

/** May the call be made? The first objection counts, in this order. */
export function evaluatePolicy(facts: PolicyFacts): Evaluation {
  const denial = findDenial(facts);
  return denial ? conclude(facts, 'denied', denial) : allowEarlier(facts);
}

/** Of a call that was sent already, so it was allowed then. */
export function allowEarlier(facts: PolicyFacts): Evaluation {
  return conclude(facts, 'allowed', ['policy_allowed.default', '']);
}

/** The same call, refused by somebody who is asked later. */
export function denyLater(facts: PolicyFacts, message: string): Evaluation {
  return conclude(facts, 'denied', ['policy_denied.explicit_deny', message]);
}

function findDenial(facts: PolicyFacts): Denial | undefined {
  return findStanding(facts) ?? findMeans(facts) ?? findGate(facts);
}

/** Whether anybody may act here at all. */
function findStanding({ manifest, authority }: PolicyFacts): Denial | undefined {
  const { authorizationId, authorizationMode: mode, denial } = authority;
  if (manifest.status !== 'active') {
    return [
      'policy_denied.explicit_deny',
      `integration ${manifest.integrationId} is ${manifest.status}`,
    ];
  }
  if (denial) return [denial, 'the policy of the caller denies it'];
  if (authorizationId === undefined) {
    return ['policy_denied.authorization_missing', 'policy.authorization_id is missing'];
  }
  if (mode !== undefined && !MODES.has(mode)) {
    return ['policy_denied.invalid_authorization_mode', 'policy.authorization_mode is unknown'];
  }
  if (mode === 'deny') return ['policy_denied.explicit_deny', 'policy.authorization_mode is deny'];
  return undefined;
}

function findMeans({ manifest, authority, recentCalls }: PolicyFacts): Denial | undefined {
  const left = leftOf(authority.budget);
  if (left !== undefined && left <= 0) {
    return ['policy_denied.budget_exhausted', 'nothing is left of the budget'];
  }
  const { maxRequestsPerMinute } = manifest.policy;
  if (recentCalls >= maxRequestsPerMinute) {
    const rate = `${maxRequestsPerMinute} calls a minute`;
    return ['policy_denied.budget_exhausted', `${manifest.integrationId} takes ${rate}`];
  }
  return undefined;
}

/** The lower of what the caller says is left and what its own figures leave. */
function leftOf(budget: Budget): number | undefined {
  const { maxTotalSats, spentSats = 0, reservedSats = 0, remainingSats } = budget;
  const computed = maxTotalSats === undefined ? undefined : maxTotalSats - spentSats - reservedSats;
  if (computed === undefined) return remainingSats;
  return Math.min(computed, remainingSats ?? computed);
}

function findGate({ manifest, operation, ...facts }: PolicyFacts): Denial | undefined {
  const { policy, keyId } = manifest;
  // Before consent: whoever complained has not consented, whatever the caller believes.
  if (facts.isSuppressed && policy.suppression === 'enforce') {
    return ['policy_denied.suppressed_recipient', 'a recipient is on the suppression list'];
  }
  if (operation.isWrite && policy.needsConsent && !facts.authority.hasConsent) {
    return ['policy_denied.consent_required', 'consent_granted is not true'];
  }
  if (operation.isWrite && policy.writes === 'enforce' && !facts.authority.isWriteApproved) {
    return ['policy_denied.explicit_deny', `${operation.name} writes: write_approved is not true`];
  }
  if (facts.key === 'not_allowed') {
    const message = `secret_not_allowed: ${keyId} is no secret of ${manifest.provider} integrations`;
    return ['policy_denied.explicit_deny', message];
  }
  if (facts.key === 'missing') {
    return ['policy_denied.explicit_deny', `missing_api_token: there is no secret ${keyId}`];
  }
  return undefined;
}

function conclude(
  { manifest, operation, authority }: PolicyFacts,
  decision: Evaluation['decision'],
  [reasonCode, message]: Denial,
): Evaluation {
  const { authorizationId = null, authorizationMode = null, budget } = authority;
  const evaluationHash = digestPayload({
    decision,
    reason_code: reasonCode,
    reason_codes_version: REASON_CODES_VERSION,
    policy_id: POLICY_IDS[manifest.toolPack],
    authorization_id: authorizationId,
    authorization_mode: authorizationMode,
    operation: operation.name,
    write_approved: authority.isWriteApproved,
    consent_granted: authority.hasConsent,
    budget: {
      max_total_sats: budget.maxTotalSats ?? null,
      spent_sats: budget.spentSats ?? null,
      reserved_sats: budget.reservedSats ?? null,
      remaining_sats: budget.remainingSats ?? null,
    },
  });
  return { decision, reasonCode, message, evaluationHash };
}
