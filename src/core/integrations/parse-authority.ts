import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { isReasonCode, type ReasonCode } from './reason-codes.ts';

/** In whose name and with what means a call is made, as its caller states it. */
export interface Authority {
  readonly authorizationId: string | undefined;
  readonly authorizationMode: string | undefined;
  readonly budget: Budget;
  readonly isWriteApproved: boolean;
  readonly hasConsent: boolean;
  /** Set when the caller's own policy has refused the call already. */
  readonly denial: ReasonCode | undefined;
}

export interface Budget {
  readonly maxTotalSats: number | undefined;
  readonly spentSats: number | undefined;
  readonly reservedSats: number | undefined;
  readonly remainingSats: number | undefined;
}

export type ParsedAuthority =
  | { readonly outcome: 'valid'; readonly authority: Authority }
  | { readonly outcome: 'invalid'; readonly problems: readonly string[] };

const SATS = {
  max_total_sats: 'maxTotalSats',
  spent_sats: 'spentSats',
  reserved_sats: 'reservedSats',
  remaining_sats: 'remainingSats',
} as const satisfies Record<string, keyof Budget>;

/** Below zero they would add to the budget. */
const SPENT: ReadonlySet<keyof Budget> = new Set(['spentSats', 'reservedSats']);

const MAX_TEXT_CHARS = 256;

/** A figure that can't be read is refused, not taken for none: a budget that nobody checks is no budget. */
export function parseAuthority(policy: JsonObject, request: JsonObject): ParsedAuthority {
  const problems: string[] = [];
  const text = (name: string): string | undefined => {
    const value = policy[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value.length <= MAX_TEXT_CHARS) return value.trim();
    problems.push(`policy.${name} must be a string of at most ${MAX_TEXT_CHARS} characters`);
    return undefined;
  };
  const authority = {
    authorizationId: text('authorization_id') || undefined,
    authorizationMode: text('authorization_mode') || undefined,
    budget: parseBudget(policy['budget'], problems),
    isWriteApproved: policy['write_approved'] === true || request['write_approved'] === true,
    hasConsent: policy['consent_granted'] === true || request['consent_granted'] === true,
    denial: findDenial(policy['policy']),
  };
  if (problems.length > 0) return { outcome: 'invalid', problems };
  return { outcome: 'valid', authority };
}

function parseBudget(given: JsonValue | undefined, problems: string[]): Budget {
  const budget: Record<keyof Budget, number | undefined> = {
    maxTotalSats: undefined,
    spentSats: undefined,
    reservedSats: undefined,
    remainingSats: undefined,
  };
  if (given === undefined || given === null) return budget;
  if (!isJsonObject(given)) {
    problems.push('policy.budget must be an object');
    return budget;
  }
  for (const [name, field] of Object.entries(SATS)) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      problems.push(`policy.budget.${name} must be an integer`);
    } else if (value < 0 && SPENT.has(field)) {
      problems.push(`policy.budget.${name} must not be negative`);
    } else {
      budget[field] = value;
    }
  }
  return budget;
}

function findDenial(given: JsonValue | undefined): ReasonCode | undefined {
  if (!isJsonObject(given) || given['decision'] !== 'denied') return undefined;
  const { reason_code: reason } = given;
  const isDenial = isReasonCode(reason) && reason !== 'policy_allowed.default';
  return isDenial ? reason : 'policy_denied.explicit_deny';
}
