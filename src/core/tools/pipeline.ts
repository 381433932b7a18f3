import type { Clock } from '../clock.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { toFault } from '../reliability/to-fault.ts';
import type { ToolOutcome } from './envelope.ts';
import type { Tool, ToolTrait } from './tool.ts';

/** One use of one tool, on its way through the layers. */
export interface ToolCall {
  readonly requestId: RequestId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly callId: string;
  /** The caller's own; without one, calls of tools declared dedupe-able get one derived from their arguments. */
  readonly idempotencyKey?: string;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly timeoutMs: number;
  /** What the run has been in touch with before this call. */
  readonly exposure: readonly ToolTrait[];
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

/** The way of every tool call, on every surface. The order is the guarantee, so it stands here once. */
export function createToolPipeline(layers: ToolLayers, clock: Pick<Clock, 'nowMs'>): Invoke {
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
    (call) => invokeHandler(call, clock),
  );
}

export function layered(layers: readonly Layer[], innermost: Invoke): Invoke {
  return layers.reduceRight<Invoke>((next, layer) => (call) => layer(call, next), innermost);
}

async function invokeHandler(call: ToolCall, clock: Pick<Clock, 'nowMs'>): Promise<ToolOutcome> {
  try {
    await call.onSend?.();
    const output = await call.tool.execute(call.input, {
      runId: call.runId,
      agentId: call.agentId,
      callId: call.callId,
      ...(call.idempotencyKey === undefined ? {} : { idempotencyKey: call.idempotencyKey }),
      signal: call.signal,
    });
    return { ok: true, output, summary: call.tool.summarize(call.input, output) };
  } catch (thrown) {
    // Errors of sockets and HTTP clients are known by name, so that what may be tried again is.
    return { ok: false, error: toFault(thrown, clock.nowMs()) };
  }
}
