// The reliability layer by itself, as `pincer/reliability`. Names are listed one by one: what is not here may change
// without notice.
export { type Clock, systemClock } from './core/clock.ts';
export { type ErrorCode, RuntimeError } from './core/errors.ts';
export type {
  BreakerState,
  BreakerStatus,
  CallResult,
} from './core/reliability/breakers/breaker.ts';
export type {
  BreakerRecord,
  BreakerStore,
  ReplaceResult,
} from './core/reliability/breakers/breaker-store.ts';
export { CircuitBreaker, type CircuitStatus } from './core/reliability/breakers/circuit-breaker.ts';
export {
  CircuitBreakers,
  type NamedCircuit,
} from './core/reliability/breakers/circuit-breakers.ts';
export { MemoryBreakerStore } from './core/reliability/breakers/memory-breaker-store.ts';
export { parseBreakerState } from './core/reliability/breakers/parse-breaker-state.ts';
export {
  createReliability,
  type Reliability,
  type ReliabilityOptions,
} from './core/reliability/create-reliability.ts';
export { Deadlines } from './core/reliability/deadline.ts';
export {
  type RequestEnvelope,
  type ResponseEnvelope,
  requestEnvelopeSchema,
  responseEnvelopeSchema,
} from './core/reliability/envelope.ts';
export type { Fault } from './core/reliability/fault.ts';
export { HandlerContext } from './core/reliability/handler-context.ts';
export { toStoredKey } from './core/reliability/idempotency/idempotency-key.ts';
export { IdempotencyManager } from './core/reliability/idempotency/idempotency-manager.ts';
export type {
  Claim,
  ClaimResult,
  IdempotencyRecord,
  IdempotencyStore,
  RecordPage,
  Settlement,
} from './core/reliability/idempotency/idempotency-store.ts';
export { deriveKey } from './core/reliability/idempotency/key-digests.ts';
export { MemoryIdempotencyStore } from './core/reliability/idempotency/memory-idempotency-store.ts';
export type { Observe, ReliabilityEvent } from './core/reliability/observer.ts';
export type { CallOptions } from './core/reliability/perform-call.ts';
export {
  RELIABILITY_MODES,
  type ReliabilityMode,
  resolveMode,
} from './core/reliability/reliability-mode.ts';
export { decideRetry, withRetry } from './core/reliability/retry-policy.ts';
export {
  type BreakerPolicy,
  DEFAULT_RELIABILITY,
  type IdempotencyPolicy,
  type ReliabilityOverrides,
  type ReliabilitySettings,
  type RetryPolicy,
  resolveSettings,
} from './core/reliability/settings.ts';
export { type WrapOptions, type WrappedTool, wrapTool } from './core/reliability/wrap-tool.ts';
