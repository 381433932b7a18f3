import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { findClosestName } from '../find-closest-name.ts';
import type { AgentId, Ids, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { ToolRequest } from '../loop/model.ts';
import { toCallStatus } from '../reliability/observer.ts';
import { cutText } from '../sessions/cut-text.ts';
import { type Metrics, SPANS, type Tracer } from '../telemetry.ts';
import { type CallerKey, findCallerKey } from './caller-key.ts';
import {
  encodeToolCall,
  encodeToolResult,
  failure,
  type ToolEnvelope,
  type ToolOutcome,
  toWireCode,
} from './envelope.ts';
import type { Invoke, ToolCall } from './pipeline.ts';
import type { ToolRegistry } from './registry.ts';
import { asCalled, type Tool } from './tool.ts';

interface ToolTimeouts {
  readonly defaultMs: number;
  readonly maxMs: number;
}

export interface ToolRunnerDeps {
  readonly registry: ToolRegistry;
  readonly invoke: Invoke;
  /** What is on record about a call that was sent at that time. */
  readonly recall: (call: ToolCall, sentAtMs: number) => Promise<ToolOutcome | undefined>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  /** Asked for every call. */
  readonly timeouts: () => ToolTimeouts;
}

/** A call that has its envelope and its tool, but has not been made. */
export interface PreparedCall {
  readonly envelope: ToolEnvelope;
  /** Whom it is made for. */
  readonly principal: string;
  readonly tool: Tool | undefined;
  readonly input: JsonObject;
  readonly timeoutMs: number;
  readonly callerKey: CallerKey | undefined;
  /** Why it will not be made, whatever policy says. */
  readonly refusal: RuntimeError | undefined;
  /** The payload to commit as `tool.call` before the call is made. */
  readonly payload: JsonObject;
}

export interface FinishedCall {
  readonly outcome: ToolOutcome;
  /** The payload to commit as `tool.result`. */
  readonly payload: JsonObject;
}

/** What surrounds a call at the moment it is made. */
export type CallCircumstances = Pick<ToolCall, 'signal' | 'exposure' | 'onSend' | 'isFork'>;

/** The run a call belongs to, and whom that acts for. */
export interface ToolCaller {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly principal: string;
}

/** Prepare, execute, finalise: three steps, so that the intent can be committed between the first two. */
export interface ToolRunner {
  prepare(caller: ToolCaller, request: ToolRequest): PreparedCall;
  execute(call: PreparedCall, circumstances: CallCircumstances): Promise<FinishedCall>;
  /** The result of a call that a process sent before it died, if that is on record. Nothing is called. */
  recall(call: PreparedCall, sentAtMs: number): Promise<FinishedCall | undefined>;
  /** The result of a call that was not made, or whose outcome was lost. */
  settle(call: PreparedCall, error: RuntimeError): FinishedCall;
  /** The result of a call that was carried out elsewhere. */
  conclude(call: PreparedCall, outcome: ToolOutcome): FinishedCall;
}

export function createToolRunner(deps: ToolRunnerDeps): ToolRunner {
  function finalise(call: PreparedCall, outcome: ToolOutcome, durationMs: number): FinishedCall {
    const timing = { durationMs, atMs: deps.clock.nowMs() };
    return { outcome, payload: encodeToolResult(call.envelope, outcome, timing) };
  }

  return {
    prepare({ runId, agentId, principal }, request) {
      const found = deps.registry.find(request.tool);
      const called = found && asCalled(found, request.input);
      const key = findCallerKey(called, request, principal);
      const refusal = findMalformed(request) ?? (key instanceof RuntimeError ? key : undefined);
      const callerKey = key instanceof RuntimeError ? undefined : key;
      const tool = callerKey && called?.keyOf ? { ...called, sendsKey: true } : called;
      const { defaultMs, maxMs } = deps.timeouts();
      const timeoutMs = Math.min(tool?.limits.timeoutMs ?? defaultMs, maxMs);
      const envelope: ToolEnvelope = {
        requestId: deps.ids.request(),
        runId,
        agentId,
        callId: request.callId,
        tool: tool?.name ?? request.tool,
      };
      const payload = encodeToolCall(envelope, {
        input: request.input,
        timeoutMs,
        atMs: deps.clock.nowMs(),
        traits: tool?.traits ?? [],
        effect: tool?.effect,
        idempotencyKey: callerKey?.sent,
        malformed: request.malformed,
      });
      const { input } = request;
      return { envelope, principal, tool, input, timeoutMs, callerKey, refusal, payload };
    },

    async execute(call, circumstances) {
      const startedAtMs = deps.clock.nowMs();
      const outcome = await deps.tracer.span(
        SPANS.tool,
        { tool: call.envelope.tool },
        async (span) => {
          const result = await make(deps, call, circumstances);
          span.set({ ok: result.ok, ...(result.ok ? {} : { 'error.code': result.error.code }) });
          return result;
        },
      );
      const durationMs = deps.clock.nowMs() - startedAtMs;
      deps.metrics.toolCall({
        tool: call.tool?.name ?? 'unknown',
        status: toCallStatus(outcome.ok ? undefined : outcome.error.code),
        durationMs,
      });
      return finalise(call, outcome, durationMs);
    },

    async recall(call, sentAtMs) {
      const { tool } = call;
      const parsed = tool?.input.safeParse(tool.repair(call.input));
      if (!tool || !parsed?.success) return undefined;
      const circumstances = { signal: new AbortController().signal, exposure: [] };
      const made = toToolCall({ ...call, tool, input: parsed.data }, circumstances);
      const outcome = await deps.recall(made, sentAtMs);
      return outcome && finalise(call, outcome, 0);
    },

    settle: (call, error) => finalise(call, failure(error), 0),

    conclude: (call, outcome) => finalise(call, outcome, 0),
  };
}

async function make(
  deps: ToolRunnerDeps,
  call: PreparedCall,
  circumstances: CallCircumstances,
): Promise<ToolOutcome> {
  if (call.refusal) return failure(call.refusal);
  if (!call.tool) {
    const known = deps.registry.list().map((tool) => tool.name);
    const { tool: name } = call.envelope;
    const closest = findClosestName(name, known);
    const hint = closest === undefined ? '' : `; did you mean ${closest}?`;
    return failure(
      new RuntimeError('tool_not_found', `there is no tool named ${name}${hint}`, {
        details: { available: known.slice(0, 50) },
      }),
    );
  }
  return deps.invoke(toToolCall({ ...call, tool: call.tool }, circumstances));
}

const MAX_QUOTED_CHARS = 300;

function findMalformed({ malformed }: ToolRequest): RuntimeError | undefined {
  if (malformed === undefined) return undefined;
  const quoted = cutText(malformed, MAX_QUOTED_CHARS);
  const message = `the arguments are not a JSON object; call again with one. They were: ${quoted}`;
  return new RuntimeError('tool_input_invalid', message, { details: { reason: 'not_json' } });
}

function toToolCall(
  call: PreparedCall & { readonly tool: Tool },
  circumstances: CallCircumstances,
): ToolCall {
  const { callerKey } = call;
  return {
    ...call.envelope,
    principal: call.principal,
    tool: call.tool,
    input: call.input,
    timeoutMs: call.timeoutMs,
    ...circumstances,
    // The request id survives a restart, so a service that honours keys sees the same one again.
    ...(call.tool.sendsKey ? { idempotencyKey: call.envelope.requestId } : {}),
    ...(callerKey ? { idempotencyKey: callerKey.sent, callerKey: callerKey.kept } : {}),
  };
}

/** The payload of `policy.decision`, for a call that policy refused. */
export function encodeDenial(call: PreparedCall, finished: FinishedCall): JsonObject | undefined {
  const { outcome } = finished;
  if (outcome.ok || toWireCode(outcome.error.code) !== 'policy.denied') return undefined;
  const { message, details } = outcome.error;
  return {
    decision: 'deny',
    tool: call.envelope.tool,
    tool_call_id: call.envelope.callId,
    request_id: call.envelope.requestId,
    message,
    ...defined({ details }),
  };
}
