import { defined } from '../defined.ts';
import { type Attempt, type Fault, isRepeatable, toError } from './fault.ts';
import { guard } from './guard-call.ts';
import { type GuardedCall, type GuardedTool, repeatabilityOf } from './guarded-call.ts';
import { isSoundKey, toStoredKey } from './idempotency/idempotency-key.ts';
import { deriveKey, digestPayload, hashKey } from './idempotency/key-digests.ts';
import type { DedupedOutcome } from './idempotency/replay-record.ts';
import { toCallStatus } from './observer.ts';
import { invalidInput, toFault } from './to-fault.ts';

export interface CallOptions {
  /** The caller's own key; it always wins over a derived one. */
  readonly idempotencyKey?: string | undefined;
  readonly callerId?: string | undefined;
  readonly executionId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Performed<R> = DedupedOutcome<R>;

export interface CallIdentity {
  readonly key: string;
  readonly digest: string;
}

/** A call through all layers. Never rejects. */
export function perform<P, R>(
  tool: GuardedTool<P, R>,
  payload: P,
  options: CallOptions,
): Promise<Performed<R>> {
  const checked = check(tool, payload, options);
  if (!checked.ok) return Promise.resolve({ attempt: checked, fromCache: false });
  return performChecked(tool, checked.value);
}

function performChecked<P, R>(
  tool: GuardedTool<P, R>,
  { call, digest }: CheckedCall<P>,
): Promise<Performed<R>> {
  return tool.reliability.isObserved ? observed(tool, call, digest) : make(tool, call, digest);
}

/** The same for callers who want the result or the error itself. */
export function performOrThrow<P, R>(
  tool: GuardedTool<P, R>,
  payload: P,
  options: CallOptions,
): Promise<R> {
  const checked = check(tool, payload, options);
  if (!checked.ok) return Promise.reject(toError(checked.fault));
  const { call, digest } = checked.value;
  // The usual call goes the short way: each promise in between costs a tenth of the whole.
  if (digest === undefined && !tool.reliability.isObserved) return guard(tool, call).then(unwrap);
  return performChecked(tool, checked.value).then(({ attempt }) => unwrap(attempt));
}

/** Rejects with what the handler threw, whatever it is: the wrapped function stands in for it. */
function unwrap<R>(attempt: Attempt<R>): R | Promise<R> {
  return attempt.ok ? attempt.value : Promise.reject(attempt.thrown ?? toError(attempt.fault));
}

async function observed<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  digest: string | undefined,
): Promise<Performed<R>> {
  const { clock, observe } = tool.reliability;
  const facts = toFacts(tool, call);
  const startedAtMs = clock.nowMs();
  observe({ type: 'call.started', ...facts });
  const performed = await make(tool, call, digest);
  const { attempt, fromCache } = performed;
  const errorCode = attempt.ok ? undefined : attempt.fault.code;
  observe({
    type: 'call.ended',
    ...facts,
    status: toCallStatus(errorCode),
    durationMs: clock.nowMs() - startedAtMs,
    fromCache,
    attempts: call.attempts,
    ...defined({ errorCode }),
  });
  return performed;
}

function make<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  digest: string | undefined,
): Promise<Performed<R>> {
  const { idempotencyKey: key } = call;
  if (key === undefined || digest === undefined) return guard(tool, call).then(toPerformed);
  return tool.reliability.idempotency.run(
    {
      toolId: tool.toolId,
      key,
      digest,
      isRepeatable: isRepeatable(repeatabilityOf(tool, key)),
      policy: tool.settings.idempotency,
      signal: call.signal,
    },
    () => guard(tool, call),
  );
}

function toPerformed<R>(attempt: Attempt<R>): Performed<R> {
  return { attempt, fromCache: false };
}

/** The key a call is known by, and its payload's digest; undefined when it is not deduplicated. */
export function identify<P, R>(
  tool: GuardedTool<P, R>,
  payload: P,
  options: CallOptions,
): CallIdentity | undefined {
  const { toolId, settings, reliability } = tool;
  const given = options.idempotencyKey;
  if (given !== undefined) return { key: given, digest: digestPayload(payload) };
  if (tool.effect !== 'write' || !tool.dedupe) return undefined;
  const key = deriveKey({
    toolId,
    payload,
    callerId: options.callerId ?? tool.callerId,
    windowMs: settings.idempotency.keyWindowMs,
    atMs: reliability.clock.nowMs(),
  });
  return { key, digest: digestPayload(payload) };
}

interface CheckedCall<P> {
  readonly call: GuardedCall<P>;
  readonly digest: string | undefined;
}

/** Before anything is recorded or counted: what is malformed is nobody's failure but the caller's. */
function check<P, R>(
  tool: GuardedTool<P, R>,
  payload: P,
  options: CallOptions,
): Attempt<CheckedCall<P>> {
  const { idempotencyKey, executionId, callerId, traceId, signal } = options;
  if (idempotencyKey !== undefined && !isSoundKey(idempotencyKey)) {
    return { ok: false, fault: badKey() };
  }
  const parsed = tool.input?.safeParse(payload);
  if (parsed?.success === false) return { ok: false, fault: invalidInput(parsed.error) };
  const input = parsed ? parsed.data : payload;
  try {
    const identity = identify(tool, input, options);
    const call: GuardedCall<P> = {
      payload: input,
      idempotencyKey: identity?.key,
      executionId,
      callerId,
      traceId,
      signal,
      startedAtMs: 0,
      attempts: 0,
    };
    return { ok: true, value: { call, digest: identity?.digest } };
  } catch (thrown) {
    return { ok: false, fault: toFault(thrown, tool.reliability.clock.nowMs()) };
  }
}

interface ReportedFacts {
  readonly toolId: string;
  readonly executionId?: string;
  readonly keyHash?: string;
}

function toFacts<P, R>({ toolId }: GuardedTool<P, R>, call: GuardedCall<P>): ReportedFacts {
  const { idempotencyKey: key, executionId } = call;
  return {
    toolId,
    ...defined({ executionId }),
    ...(key === undefined ? {} : { keyHash: hashKey(toStoredKey(toolId, key)) }),
  };
}

function badKey(): Fault {
  const message = 'the idempotency key is empty, too long or not well-formed text';
  return { code: 'invalid_input', message, retryable: false };
}
