import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { NewsEvent } from '../events/event.ts';
import type { AgentId, RunId } from '../ids.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { toDirectMessage } from '../loop/direct-tool.ts';
import type { TraceContext } from '../trace-context.ts';
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

/** One call of one tool, outside of any conversation. */
export interface ExecuteTool {
  readonly agentId: AgentId;
  readonly tool: string;
  readonly input: JsonObject;
  /** The caller's name for this attempt. */
  readonly executionId: string;
  /** The same key with the same input is one execution; with another input a `conflict`. */
  readonly idempotencyKey?: string | undefined;
  readonly source: string;
  readonly trace?: TraceContext | undefined;
}

export interface ExecutedTool {
  readonly runId: RunId;
  readonly durationMs: number;
  readonly fromCache: boolean;
  /** Of a call that succeeded. */
  readonly output?: JsonObject;
  /** In the words of `tool.result`. */
  readonly error?: ExecutionFault;
}

interface ExecutionFault {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: JsonObject;
}

export type ExecutingRuns = Pick<Runs, 'submit' | 'get' | 'cancel' | 'tail'>;

/** How long a caller is kept waiting. A tool may take longer (`shell.exec` ten minutes): then the run goes on without it. */
const MAX_WAIT_MS = 5 * 60_000;
const IDLE_MS = 60_000;

/**
 * Makes the call as a run of its own: it passes the same pipeline, stands in the same log and survives the same crashes as
 * any other. Nobody is there to answer a question, so a call that needs an approval is not made. When the caller leaves,
 * the run goes on.
 */
export async function executeTool(
  runs: ExecutingRuns,
  { agentId, source, trace, ...call }: ExecuteTool,
  caller: AbortSignal,
): Promise<ExecutedTool> {
  const message = toDirectMessage({ ...call, callId: call.executionId });
  const { run } = await runs.submit({
    agentId,
    message,
    source,
    isExact: true,
    ...defined({ trace }),
  });
  const deadline = AbortSignal.timeout(MAX_WAIT_MS);
  const seen = await watch(runs, run.id, AbortSignal.any([caller, deadline]));
  if (seen.question !== undefined) {
    await runs.cancel({ runId: run.id, reason: 'a call needs an approval', actor: 'system' });
    return { runId: run.id, durationMs: 0, fromCache: false, error: seen.question };
  }
  if (seen.result !== undefined) return toExecuted(run.id, seen.result);
  if (seen.isOver) return toFailed(await runs.get(run.id));
  throw new RuntimeError('timeout', `the call goes on as ${run.id}: read that run for its result`);
}

interface Seen {
  readonly result?: JsonObject;
  readonly question?: ExecutionFault;
  readonly isOver: boolean;
}

/** Follows the run until its call has a result or a question, or it has ended without either. */
async function watch(runs: ExecutingRuns, runId: RunId, signal: AbortSignal): Promise<Seen> {
  let after = 0;
  while (!signal.aborted) {
    for await (const page of runs.tail({ runId, after, idleMs: IDLE_MS, signal })) {
      for (const event of page) {
        const seen = look(event);
        if (seen) return seen;
        after = event.seq;
      }
    }
  }
  return { isOver: false };
}

function look({ type, payload }: NewsEvent): Seen | undefined {
  switch (type) {
    case 'tool.result':
      return { result: payload, isOver: false };
    case 'policy.decision':
      return payload['decision'] === 'ask'
        ? { question: toQuestion(payload), isOver: false }
        : undefined;
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return { isOver: true };
    default:
      return undefined;
  }
}

function toQuestion(payload: JsonObject): ExecutionFault {
  const message = `${text(payload['message'])}; nobody can be asked here, so the call was not made`;
  return {
    code: 'policy.denied',
    message,
    retryable: false,
    details: { reason: 'approval_required' },
  };
}

function toExecuted(runId: RunId, payload: JsonObject): ExecutedTool {
  const { duration_ms: duration, output, error } = payload;
  const common = {
    runId,
    durationMs: typeof duration === 'number' ? duration : 0,
    fromCache: payload['from_cache'] === true,
  };
  if (!isJsonObject(error)) return { ...common, output: isJsonObject(output) ? output : {} };
  const { details } = error;
  return {
    ...common,
    error: {
      code: text(error['code']),
      message: text(error['message']),
      retryable: error['retryable'] === true,
      ...(isJsonObject(details) ? { details } : {}),
    },
  };
}

/** It ended before the tool had anything to say: the limits of runs, a removed agent, a fault of ours. */
function toFailed({ id, status, error }: Run): ExecutedTool {
  const code =
    error?.code === 'timeout' ? 'timeout' : status === 'cancelled' ? 'cancelled' : 'internal.error';
  const message = error?.message ?? `the call was ${status}`;
  return { runId: id, durationMs: 0, fromCache: false, error: { code, message, retryable: false } };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
