import type { Attempt, Fault } from './fault.ts';
import { isRepeatable } from './fault.ts';
import { type GuardedCall, type GuardedTool, guard, repeatabilityOf } from './guarded-tool.ts';
import { deriveKey, digestPayload, isSoundKey, toStoredKey } from './idempotency-key.ts';
import { hashKey, type ReliabilityEvent, toCallStatus } from './observer.ts';
import type { DedupedOutcome } from './replay-record.ts';
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
export async function perform<P, R>(
  tool: GuardedTool<P, R>,
  payload: P,
  options: CallOptions,
): Promise<Performed<R>> {
  const startedAtMs = tool.reliability.clock.nowMs();
  const checked = check(tool, payload, options);
  if (!checked.ok) return { attempt: checked, fromCache: false };
  const { input, identity } = checked.value;
  const call: GuardedCall<P> = {
    payload: input,
    key: identity?.key,
    executionId: options.executionId,
    callerId: options.callerId,
    traceId: options.traceId,
    signal: options.signal,
    startedAtMs,
    attempts: 0,
  };
  const facts = toFacts(tool, call);
  tool.reliability.observe({ type: 'call.started', ...facts });
  const performed = identity
    ? await dedupe(tool, call, identity)
    : { attempt: await guard(tool, call), fromCache: false };
  tool.reliability.observe(toEnded(tool, { facts, call, performed }));
  return performed;
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
  readonly input: P;
  readonly identity: CallIdentity | undefined;
}

/** Before anything is recorded or counted: what is malformed is nobody's failure but the caller's. */
function check<P, R>(
  tool: GuardedTool<P, R>,
  payload: P,
  options: CallOptions,
): Attempt<CheckedCall<P>> {
  const { idempotencyKey } = options;
  if (idempotencyKey !== undefined && !isSoundKey(idempotencyKey)) {
    return { ok: false, fault: badKey() };
  }
  const parsed = tool.input?.safeParse(payload);
  if (parsed?.success === false) return { ok: false, fault: invalidInput(parsed.error) };
  const input = parsed ? parsed.data : payload;
  try {
    return { ok: true, value: { input, identity: identify(tool, input, options) } };
  } catch (thrown) {
    return { ok: false, fault: toFault(thrown, tool.reliability.clock.nowMs()) };
  }
}

function dedupe<P, R>(
  tool: GuardedTool<P, R>,
  call: GuardedCall<P>,
  { key, digest }: CallIdentity,
): Promise<DedupedOutcome<R>> {
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

interface CallFacts {
  readonly toolId: string;
  readonly executionId?: string;
  readonly keyHash?: string;
}

function toFacts<P, R>({ toolId }: GuardedTool<P, R>, call: GuardedCall<P>): CallFacts {
  const { key, executionId } = call;
  if (key === undefined && executionId === undefined) return { toolId };
  return {
    toolId,
    ...(executionId === undefined ? {} : { executionId }),
    ...(key === undefined ? {} : { keyHash: hashKey(toStoredKey(toolId, key)) }),
  };
}

function toEnded<P, R>(
  tool: GuardedTool<P, R>,
  ended: { facts: CallFacts; call: GuardedCall<P>; performed: Performed<R> },
): ReliabilityEvent {
  const { facts, call, performed } = ended;
  const { attempt, fromCache } = performed;
  const errorCode = attempt.ok ? undefined : attempt.fault.code;
  return {
    type: 'call.ended',
    ...facts,
    status: toCallStatus(errorCode),
    durationMs: tool.reliability.clock.nowMs() - call.startedAtMs,
    fromCache,
    attempts: call.attempts,
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

function badKey(): Fault {
  const message = 'the idempotency key is empty, too long or not well-formed text';
  return { code: 'invalid_input', message, retryable: false };
}
