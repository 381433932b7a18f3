import type { FastifyReply } from 'fastify';
import { type AgentId, DEFAULT_AGENT_ID } from '../../core/ids.ts';
import { type ExecutedTool, type ExecuteTool, executeTool } from '../../core/runs/execute-tool.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { isTraceId, newTraceparent } from '../../core/trace-context.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { readTrace } from '../http/read-trace.ts';
import type { SurfaceApp } from '../http/surface.ts';
import {
  type ExecuteToolAnswer,
  type ExecuteToolBody,
  executeToolAnswer,
  executeToolBody,
} from './tool-schema.ts';

const execute = {
  summary: 'Call one tool',
  description:
    'Makes one call, as a run of its own that `Location` names: policy, ledger and audit are those of any call, and it ' +
    'acts for the operator. Whatever became of the call is 200 with its envelope; other statuses mean that there was ' +
    'none. A call that needs an approval is not made.',
  tags: ['tools'],
  security: BEARER,
  querystring: noQuery,
  body: executeToolBody,
  response: {
    200: answer('How the call ended.', executeToolAnswer),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503, 504),
  },
};

export function addToolRoutes(app: SurfaceApp, { runs }: { readonly runs: Runs }): void {
  app.post('/tools/execute', { schema: execute }, async (request, reply) => {
    const isTraced = readTrace(request)?.traceparent !== undefined;
    const executed = await executeTool(runs, decode(request.body, isTraced), untilGone(reply));
    reply.header('location', `/v1/runs/${executed.runId}`);
    return reply.send(encode(executed));
  });
}

function decode(body: ExecuteToolBody, isTraced: boolean): ExecuteTool {
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

function encode({ output, error, durationMs, fromCache }: ExecutedTool): ExecuteToolAnswer {
  if (error === undefined) return { status: 'success', data: output, durationMs, fromCache };
  const { code, message, retryable: retriable, details } = error;
  return {
    status: code === 'timeout' || code === 'circuit_open' ? code : 'error',
    error: { code, message, retriable, ...(details === undefined ? {} : { details }) },
    durationMs,
    fromCache,
  };
}

/** Aborts when the caller hangs up, or is cut off by a server that ends. */
function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
