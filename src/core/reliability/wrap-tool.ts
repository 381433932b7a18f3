import type * as z from 'zod';
import type { ToolEffect } from '../tools/tool.ts';
import { createReliability, type Reliability } from './create-reliability.ts';
import {
  encodeFailure,
  encodeSuccess,
  type ResponseEnvelope,
  requestEnvelopeSchema,
} from './envelope.ts';
import type { Fault } from './fault.ts';
import { type GuardedTool, repeatabilityOf } from './guarded-call.ts';
import { HandlerContext } from './handler-context.ts';
import {
  type CallOptions,
  identify,
  type Performed,
  perform,
  performOrThrow,
} from './perform-call.ts';
import { isGuarded, type ReliabilityMode } from './reliability-mode.ts';
import { type ReliabilityOverrides, resolveSettings } from './settings.ts';
import { invalidInput, toFault } from './to-fault.ts';

export interface WrapOptions<P> {
  readonly toolId: string;
  /** Default `write`: what nobody has said to be harmless is not run twice. */
  readonly effect?: ToolEffect;
  /** For writes: running the same call twice leaves the world as one run would. */
  readonly idempotent?: boolean;
  /** For writes: equal calls of one caller within the hour are one call. Never for functions that append. */
  readonly dedupe?: boolean;
  /** The handler sends `context.idempotencyKey` to a service that honours it, so that it may be retried. */
  readonly sendsKey?: boolean;
  readonly input?: z.ZodType<P>;
  /** Whose calls they are when a call does not say. */
  readonly callerId?: string;
  readonly settings?: ReliabilityOverrides;
  /** Read at every call. Default `all`. */
  readonly mode?: () => ReliabilityMode;
  /** Default: one for all functions of the process that name none. */
  readonly reliability?: Reliability;
}

export interface WrappedTool<P, R> {
  /** Stands in for the function: the same result, and the same errors once retrying did not help. */
  (payload: P, options?: CallOptions): Promise<R>;
  /** Contract 5's envelopes. Never rejects. */
  execute(envelope: unknown, options?: Pick<CallOptions, 'signal'>): Promise<ResponseEnvelope>;
}

/**
 * Guards an async function: validate → deduplicate → circuit → retry → timeout → handler. Deduplication comes before
 * the circuit because a replay costs nothing, so an open circuit must not hide it.
 */
export function wrapTool<P extends object, R>(
  handler: (payload: P, context: HandlerContext) => Promise<R>,
  options: WrapOptions<P>,
): WrappedTool<P, R> {
  const tool = toGuardedTool(handler, options);
  const modeOf = options.mode ?? (() => 'all');

  function invoke(payload: P, call: CallOptions = NO_OPTIONS): Promise<R> {
    const mode = modeOf();
    if (isGuarded(mode, tool.effect)) return performOrThrow(tool, payload, call);
    const running = handler(payload, plainContext(call));
    if (mode === 'shadow') watch(tool, { payload, call, running });
    return running;
  }

  async function execute(
    envelope: unknown,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<ResponseEnvelope> {
    const { clock } = tool.reliability;
    const startedAtMs = clock.nowMs();
    const parsed = requestEnvelopeSchema.safeParse(envelope);
    const refusal = parsed.success
      ? misdirected(parsed.data.toolId, tool.toolId)
      : invalidInput(parsed.error);
    if (refusal || !parsed.success) {
      const fault = { ...(refusal as Fault), code: 'invalid_input' as const };
      return encodeFailure(fault, { durationMs: clock.nowMs() - startedAtMs, fromCache: false });
    }
    const { payload, executionId, idempotencyKey, metadata } = parsed.data;
    const call: CallOptions = {
      executionId,
      idempotencyKey,
      callerId: metadata.callerId,
      traceId: metadata.traceId,
      signal,
    };
    const performed = isGuarded(modeOf(), tool.effect)
      ? await perform(tool, payload as unknown as P, call)
      : await performRaw(() => invoke(payload as unknown as P, call), clock.nowMs);
    const facts = { ...performed, durationMs: clock.nowMs() - startedAtMs };
    return performed.attempt.ok
      ? encodeSuccess(performed.attempt.value, facts)
      : encodeFailure(performed.attempt.fault, facts);
  }

  return Object.assign(invoke, { execute });
}

const NO_OPTIONS: CallOptions = {};

let shared: Reliability | undefined;

function sharedReliability(): Reliability {
  shared ??= createReliability();
  return shared;
}

function toGuardedTool<P, R>(
  handler: GuardedTool<P, R>['handler'],
  options: WrapOptions<P>,
): GuardedTool<P, R> {
  const effect = options.effect ?? 'write';
  return {
    toolId: options.toolId,
    handler,
    effect,
    idempotent: effect === 'read' || (options.idempotent ?? false),
    dedupe: options.dedupe ?? false,
    sendsKey: options.sendsKey ?? false,
    input: options.input,
    callerId: options.callerId ?? 'local',
    settings: resolveSettings(options.settings),
    reliability: options.reliability ?? sharedReliability(),
  };
}

function plainContext(call: CallOptions): HandlerContext {
  const { idempotencyKey, executionId, callerId, traceId } = call;
  const facts = { idempotencyKey, executionId, callerId, traceId };
  return new HandlerContext(facts, 1, call.signal);
}

function misdirected(toolId: string, expected: string): Fault | undefined {
  if (toolId === expected) return undefined;
  const message = `toolId: expected ${expected}`;
  return { code: 'invalid_input', message, retryable: false };
}

async function performRaw<R>(run: () => Promise<R>, nowMs: () => number): Promise<Performed<R>> {
  try {
    return { attempt: { ok: true, value: await run() }, fromCache: false };
  } catch (thrown) {
    return { attempt: { ok: false, fault: toFault(thrown, nowMs()), thrown }, fromCache: false };
  }
}

/** Nothing in here may be felt by the call: it runs already, and the shadow only looks on. */
function watch<P, R>(
  tool: GuardedTool<P, R>,
  { payload, call, running }: { payload: P; call: CallOptions; running: Promise<R> },
): void {
  const { toolId, settings, reliability } = tool;
  const ended = performRaw(() => running, reliability.clock.nowMs).then(({ attempt }) => attempt);
  try {
    const parsed = tool.input?.safeParse(payload);
    const identity = identify(tool, parsed?.success ? parsed.data : payload, call);
    const repeatability = repeatabilityOf(tool, identity?.key);
    const isInputValid = parsed?.success ?? true;
    const { timeoutMs } = settings;
    const seen = { toolId, isInputValid, identity, repeatability, settings, timeoutMs };
    void reliability.shadow.watch(seen, ended);
  } catch {
    reliability.observe({ type: 'shadow.decided', toolId, decision: 'would_refuse_input' });
  }
}
