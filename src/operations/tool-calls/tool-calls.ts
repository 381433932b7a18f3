import { defined } from '../../core/defined.ts';
import { type AgentId, DEFAULT_AGENT_ID } from '../../core/ids.ts';
import {
  type ExecutedTool,
  type ExecuteTool,
  type ExecutingRuns,
  executeTool,
} from '../../core/runs/execute-tool.ts';
import { isTraceId, newTraceparent } from '../../core/trace-context.ts';
import { answer, operationsWith, Reply } from '../operation.ts';
import type { ExecuteToolAnswer, ExecuteToolBody } from './tool-call-shapes.ts';

/** What one request is made with. */
export interface ToolCalling {
  readonly runs: ExecutingRuns;
  /** Aborts when the caller hangs up. */
  readonly caller: AbortSignal;
  /** Whether the request has a trace of its own, which then is the trace of the call. */
  readonly isTraced: boolean;
}

const define = operationsWith(() => import('./tool-call-shapes.ts'));

export const callTool = define({
  name: 'tools.execute',
  method: 'POST',
  path: '/v1/tools/execute',
  effect: 'write',
  summary: 'Call one tool',
  description:
    'Makes one call, as a run of its own that `Location` names: policy, ledger and audit are those of any call, and it ' +
    'acts for the operator. Whatever became of the call is 200 with its envelope; other statuses mean that there was ' +
    'none. A call that needs an approval is not made.',
  tags: ['tools'],
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 503, 504],
  wire: ({ executeToolBody, executeToolAnswer }) => ({
    body: executeToolBody,
    answers: { 200: answer('How the call ended.', executeToolAnswer) },
  }),
  async run({ runs, caller, isTraced }: ToolCalling, { body }) {
    const executed = await executeTool(runs, decodeCall(body, isTraced), caller);
    return new Reply(200, encodeExecuted(executed), { location: `/v1/runs/${executed.runId}` });
  },
});

function decodeCall(body: ExecuteToolBody, isTraced: boolean): ExecuteTool {
  const { toolId, executionId, idempotencyKey, payload, metadata = {} } = body;
  const { traceId } = metadata;
  const hasOwn = !isTraced && isTraceId(traceId);
  return {
    agentId: (metadata.agent ?? DEFAULT_AGENT_ID) as AgentId,
    tool: toolId,
    input: payload,
    executionId,
    idempotencyKey,
    source: 'http',
    ...(hasOwn ? { trace: { traceparent: newTraceparent(traceId) } } : {}),
  };
}

function encodeExecuted({ output, error, durationMs, fromCache }: ExecutedTool): ExecuteToolAnswer {
  if (error === undefined) return { status: 'success', data: output, durationMs, fromCache };
  const { code, message, retryable: retriable, details } = error;
  return {
    status: code === 'timeout' || code === 'circuit_open' ? code : 'error',
    error: { code, message, retriable, ...defined({ details }) },
    durationMs,
    fromCache,
  };
}
