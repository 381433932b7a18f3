import type { ErrorCode } from '../errors.ts';
import type { BreakerStatus } from './breakers/breaker.ts';

export type CallStatus = 'success' | 'error' | 'timeout' | 'circuit_open';

/** What the layer would have done, had it been allowed to. */
export type ShadowDecision =
  | 'would_refuse_input'
  | 'would_replay'
  | 'would_wait'
  | 'would_conflict'
  | 'would_cut_off'
  | 'would_retry'
  | 'would_time_out';

/** Everything the layer reports about itself. Keys appear as hashes only, payloads and results never. */
export type ReliabilityEvent =
  | {
      readonly type: 'call.started';
      readonly toolId: string;
      readonly executionId?: string;
      readonly keyHash?: string;
    }
  | {
      readonly type: 'call.ended';
      readonly toolId: string;
      readonly executionId?: string;
      readonly keyHash?: string;
      readonly status: CallStatus;
      readonly durationMs: number;
      readonly fromCache: boolean;
      readonly attempts: number;
      readonly errorCode?: ErrorCode;
    }
  | {
      readonly type: 'call.retried';
      readonly toolId: string;
      /** The attempt that failed, from 1. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly errorCode: ErrorCode;
    }
  /** A tool is called for the first time in this process. */
  | { readonly type: 'circuit.created'; readonly toolId: string; readonly status: BreakerStatus }
  | {
      readonly type: 'circuit.changed';
      readonly toolId: string;
      readonly from: BreakerStatus;
      readonly to: BreakerStatus;
    }
  | {
      readonly type: 'cache.hit';
      readonly toolId: string;
      readonly keyHash: string;
      readonly state: 'PENDING' | 'COMPLETED' | 'FAILED';
    }
  | { readonly type: 'cache.conflict'; readonly toolId: string; readonly keyHash: string }
  | {
      readonly type: 'cache.skipped';
      readonly toolId: string;
      readonly keyHash: string;
      readonly reason: 'too_large' | 'not_serialisable' | 'claim_lost';
    }
  | { readonly type: 'outcome.unknown'; readonly toolId: string; readonly keyHash: string }
  | {
      readonly type: 'store.failed';
      readonly store: 'breaker' | 'idempotency';
      readonly operation: string;
      readonly message: string;
    }
  | { readonly type: 'store.recovered'; readonly store: 'breaker' | 'idempotency' }
  | {
      readonly type: 'shadow.decided';
      readonly toolId: string;
      readonly decision: ShadowDecision;
      readonly keyHash?: string;
    };

type WithoutKey<E> = E extends { readonly type: `cache.${string}` | 'outcome.unknown' }
  ? Omit<E, 'toolId' | 'keyHash'>
  : never;

/** What is said about one key, before it is said which. */
export type KeyedEvent = WithoutKey<ReliabilityEvent>;

export type Observe = (event: ReliabilityEvent) => void;

/** An observer that fails must not fail the call it observes. */
export function guardObserver(observe: Observe | undefined): Observe {
  if (!observe) return () => {};
  return (event) => {
    try {
      observe(event);
    } catch {
      // There is nobody left to tell.
    }
  };
}

export function toCallStatus(code: ErrorCode | undefined): CallStatus {
  if (code === undefined) return 'success';
  return code === 'timeout' || code === 'circuit_open' ? code : 'error';
}
