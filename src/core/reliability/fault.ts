import { defined } from '../defined.ts';
import { ERROR_CATALOGUE, RuntimeError, type Taxonomy } from '../errors.ts';
import type { ToolFault } from '../tools/envelope.ts';
import type { CallResult } from './breakers/breaker.ts';

export type Fault = ToolFault;

/** How one attempt, or a whole call, ended. `thrown` is what a handler threw, for callers that want it unchanged. */
export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault; readonly thrown?: unknown };

/** How far a tool may be run again. */
export interface Repeatability {
  /** Running it again leaves the world as one run would: read tools, and tools declared idempotent. */
  readonly idempotent: boolean;
  /** The handler sends the call's idempotency key to a service that honours it. */
  readonly hasStrongKey: boolean;
}

export function isRepeatable(tool: Repeatability): boolean {
  return tool.idempotent || tool.hasStrongKey;
}

/** Never after bad input, and never a mutation that may have happened and would happen again. */
export function canRetry(fault: Fault, tool: Repeatability): boolean {
  return fault.retryable && fault.code !== 'circuit_open' && isRepeatable(tool);
}

/** What a fault says about the service behind a tool. */
export function toCallResult(fault: Fault): CallResult {
  const status = fault.details?.['status'];
  if (typeof status === 'number' && isCallersFault(status)) return 'neutral';
  if (NEUTRAL_CODES.has(fault.code)) return 'neutral';
  return BLAMED.has(ERROR_CATALOGUE[fault.code].taxonomy) ? 'failure' : 'neutral';
}

const BLAMED: ReadonlySet<Taxonomy> = new Set([
  'dependency',
  'availability',
  'throttle',
  'unknown',
]);

/** Ours, not the service's: what they say about it is nothing. */
const NEUTRAL_CODES: ReadonlySet<string> = new Set([
  'cancelled',
  'circuit_open',
  'lost_lease',
  'budget_exceeded',
  'limit_reached',
  'queue_full',
  'shutting_down',
  'provider_misconfigured',
]);

function isCallersFault(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/**
 * Whether the effect of a failed call may have happened all the same: it was cut off while it ran, or the answer got
 * lost on its way back.
 */
export function leavesEffectUnknown({ code, details }: Fault): boolean {
  const effect = details?.['effect'];
  if (effect === 'none') return false;
  if (effect === 'unknown' || LOST_CODES.has(code)) return true;
  const { status, reason } = details ?? {};
  return (
    (typeof status === 'number' && LOST_STATUSES.has(status)) ||
    (typeof reason === 'string' && LOST_REASONS.has(reason))
  );
}

const LOST_CODES: ReadonlySet<string> = new Set([
  'timeout',
  'cancelled',
  'outcome_unknown',
  'lost_lease',
  'shutting_down',
]);
const LOST_STATUSES: ReadonlySet<number> = new Set([408, 502, 504]);
const LOST_REASONS: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

export function toError(fault: Fault): RuntimeError {
  return new RuntimeError(fault.code, fault.message, {
    retryable: fault.retryable,
    ...defined({ details: fault.details }),
  });
}
