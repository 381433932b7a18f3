import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import type { Principal } from '../../core/principal.ts';
import type { Run, RunStatus } from '../../core/runs/run.ts';
import type { CancelResult } from '../../core/runs/run-store.ts';
import type { SubmitReceipt } from '../../core/runs/submit-run.ts';
import type { CreateThreadRun } from '../../core/threads/threads.ts';
import type { CancelReceipt, CreateRunBody, RunReceipt, Snapshot } from './schema.ts';

export type WireStatus = RunReceipt['status'];

/** A schema that takes anything, for tools that say nothing about their arguments. */
const ANY_INPUT = { type: 'object' } as const;

export function decodeNewRun(body: CreateRunBody, principal: Principal): CreateThreadRun {
  const { run_id: runId, agent_id: agentId } = body;
  return {
    threadId: body.thread_id,
    principal,
    autoFinish: body.auto_finish,
    clientTools: body.client_tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.input_schema ?? ANY_INPUT,
    })),
    ...defined({ runId: runId as RunId | undefined, agentId: agentId as AgentId | undefined }),
  };
}

export function encodeReceipt({ run, replayed }: SubmitReceipt): RunReceipt {
  return {
    runId: run.id,
    threadId: run.thread?.id ?? '',
    agentId: run.agentId,
    status: encodeStatus(run),
    latestSeq: run.lastSeq,
    idempotentReplay: replayed,
  };
}

/** The first wish is answered as the contract has it, also when nothing was under way and the run has ended by now. */
export function encodeCancel({ run, recorded }: CancelResult): CancelReceipt {
  const isCancelled = run.status === 'cancelling' || run.status === 'cancelled';
  return {
    runId: run.id,
    status: recorded ? 'canceling' : encodeStatus(run),
    cancelRequested: recorded || isCancelled,
    idempotentReplay: !recorded,
  };
}

export function encodeSnapshot(run: Run): Snapshot {
  return {
    runId: run.id,
    threadId: run.thread?.id ?? '',
    status: encodeStatus(run),
    latestSeq: run.lastSeq,
    updatedAt: toIso(run.updatedAtMs),
    agentId: run.agentId,
    createdAt: toIso(run.createdAtMs),
    startedAt: toIsoOrNull(run.startedAtMs),
    endedAt: toIsoOrNull(run.endedAtMs),
    awaitingInput: run.status === 'waiting',
    autoFinish: run.thread?.staysOpen === false,
    output: run.output ?? null,
    stopReason: run.stopReason ?? null,
    error: run.error === undefined ? null : { code: run.error.code, message: run.error.message },
    usage: run.endedAtMs === undefined ? null : encodeUsage(run),
  };
}

function encodeUsage({ totals }: Run): Snapshot['usage'] {
  return {
    turns: totals.turns,
    toolCalls: totals.toolCalls,
    inputTokens: totals.inputTokens,
    outputTokens: totals.outputTokens,
    costUsd: totals.costUsd,
  };
}

const WIRE_STATUS = {
  queued: 'running',
  running: 'running',
  waiting: 'running',
  cancelling: 'canceling',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'canceled',
} as const satisfies Record<RunStatus, WireStatus>;

/** The contract knows no rest between frames: a run that nobody has begun is `created`, every other open one `running`. */
function encodeStatus({ status, startedAtMs }: Run): WireStatus {
  const isNew = (status === 'queued' || status === 'waiting') && startedAtMs === undefined;
  return isNew ? 'created' : WIRE_STATUS[status];
}

export function encodeEndStatus(status: 'completed' | 'failed' | 'cancelled'): WireStatus {
  return WIRE_STATUS[status];
}

function toIsoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toIso(ms);
}
