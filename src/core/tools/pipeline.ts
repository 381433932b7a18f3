import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { failure, type ToolOutcome } from './envelope.ts';
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
  readonly boundOutput: Layer;
  readonly timeout: Layer;
}

/** The way of every tool call, on every surface. The order is the guarantee, so it stands here once. */
export function createToolPipeline(layers: ToolLayers): Invoke {
  return layered(
    [
      layers.validateInput, // first: a refusal for bad input must not depend on who asks
      layers.enforcePolicy,
      layers.boundOutput, // outside the timeout: storing a large output is not the tool's time
      layers.timeout,
    ],
    invokeHandler,
  );
}

export function layered(layers: readonly Layer[], innermost: Invoke): Invoke {
  return layers.reduceRight<Invoke>((next, layer) => (call) => layer(call, next), innermost);
}

async function invokeHandler(call: ToolCall): Promise<ToolOutcome> {
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
    return failure(toToolFault(thrown));
  }
}

/** What a handler throws without naming it is the tool's failure, not ours; its message is all the model gets. */
function toToolFault(thrown: unknown): RuntimeError {
  const error = toRuntimeError(thrown);
  if (error.code !== 'internal') return error;
  const message = thrown instanceof Error ? thrown.message : 'the tool failed';
  return new RuntimeError('tool_failed', message.slice(0, 500), { cause: thrown });
}
