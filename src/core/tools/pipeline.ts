import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { toFault } from '../reliability/to-fault.ts';
import { traceOf } from '../run-trace.ts';
import type { Tracer } from '../telemetry.ts';
import type { ToolFault, ToolOutcome } from './envelope.ts';
import type { Tool, ToolContext, ToolTrait } from './tool.ts';

/** One use of one tool, on its way through the layers. */
export interface ToolCall {
  readonly requestId: RequestId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  /** Whom it is made for. */
  readonly principal: string;
  readonly callId: string;
  /** To send along; without one, calls of tools declared dedupe-able get one derived from their arguments. */
  readonly idempotencyKey?: string;
  /** Set when a caller gave the key: what it is remembered by, apart from the keys of other principals. */
  readonly callerKey?: string;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly timeoutMs: number;
  /** What the run has been in touch with before this call. */
  readonly exposure: readonly ToolTrait[];
  /** Whether the run goes on from another, which may have made the same call. */
  readonly isFork?: boolean;
  /** Called right before the handler: from then on its effect may have happened. */
  readonly onSend?: () => Promise<void>;
  readonly signal: AbortSignal;
}

export type Invoke = (call: ToolCall) => Promise<ToolOutcome>;

/** A layer may answer by itself, change the call for those below, or look at the outcome. It never throws. */
export type Layer = (call: ToolCall, next: Invoke) => Promise<ToolOutcome>;

export interface ToolLayers {
  readonly validateInput: Layer;
  readonly enforcePolicy: Layer;
  readonly deduplicate: Layer;
  readonly breakCircuit: Layer;
  readonly retry: Layer;
  readonly boundOutput: Layer;
  readonly timeout: Layer;
}

export interface PipelineDeps {
  /** Throws while nothing may be called. Asked before each try. */
  readonly assertMayCall?: () => Promise<void>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly tracer?: Pick<Tracer, 'current'>;
}

/** The way of every tool call, on every surface. The order is the guarantee, so it stands here once. */
export function createToolPipeline(layers: ToolLayers, deps: PipelineDeps): Invoke {
  return layered(
    [
      layers.validateInput, // first: a refusal for bad input must not depend on who asks
      layers.enforcePolicy,
      layers.deduplicate, // before the breaker: a replay costs nothing, so an open circuit must not hide it
      layers.breakCircuit, // outside retry: one exhausted call is one failure, not four
      layers.retry,
      layers.boundOutput, // outside the timeout: storing a large output is not the tool's time
      layers.timeout,
    ],
    (call) => invokeHandler(call, deps),
  );
}

export function layered(layers: readonly Layer[], innermost: Invoke): Invoke {
  return layers.reduceRight<Invoke>((next, layer) => (call) => layer(call, next), innermost);
}

async function invokeHandler(call: ToolCall, deps: PipelineDeps): Promise<ToolOutcome> {
  const { clock } = deps;
  try {
    await deps.assertMayCall?.();
    await call.onSend?.();
    // Waiting for the disk may have outlasted the call: what was reported as over must not begin after that.
    if (call.signal.aborted) throw call.signal.reason;
  } catch (thrown) {
    return { ok: false, error: notMade(toFault(thrown, clock.nowMs())) };
  }
  try {
    const output = await call.tool.execute(call.input, toContext(call, deps));
    return { ok: true, output, summary: summaryOf(call, output) };
  } catch (thrown) {
    // Errors of sockets and HTTP clients are known by name, so that what may be tried again is.
    return { ok: false, error: toFault(thrown, clock.nowMs()) };
  }
}

function toContext(call: ToolCall, { tracer }: PipelineDeps): ToolContext {
  const trace = traceOf(tracer, call.runId);
  return {
    runId: call.runId,
    agentId: call.agentId,
    principal: call.principal,
    callId: call.callId,
    ...defined({ idempotencyKey: call.idempotencyKey }),
    ...(call.callerKey === undefined ? {} : { isCallersKey: true }),
    ...(call.exposure.length === 0 ? {} : { exposure: call.exposure }),
    get traceparent() {
      return trace.traceparent;
    },
    ...defined({ tracestate: trace.tracestate, callerRequestId: trace.requestId }),
    signal: call.signal,
  };
}

function notMade(fault: ToolFault): ToolFault {
  return { ...fault, details: { ...fault.details, effect: 'none' } };
}

/** The call has succeeded by then: a line for people that can't be made must not say otherwise. */
function summaryOf({ tool, input }: ToolCall, output: JsonObject): string {
  try {
    return tool.summarize(input, output);
  } catch {
    return '';
  }
}
