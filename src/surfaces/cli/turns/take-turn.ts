import { RuntimeError } from '../../../core/errors.ts';
import type { AgentId, RunId, SessionId } from '../../../core/ids.ts';
import { isJsonObject } from '../../../core/json.ts';
import type { RunEvent } from '../../../operations/runs/run-shapes.ts';
import { namingAgent } from '../admin-arguments.ts';
import { submitRun } from '../ask/ask-runs.ts';
import { awaitRunEnd } from '../commands/runs/await-run-end.ts';
import { AnswerPrinter } from '../print/answer-printer.ts';
import type { CliContext } from '../program/context.ts';
import { createStop, type Stop } from '../stop.ts';
import type { TurnWay } from './open-turns.ts';
import { type TurnOutcome, toTurnOutcome } from './turn.ts';

export interface TurnRequest {
  readonly turns: TurnWay;
  readonly agentId: AgentId;
  /** Absent: the run stands alone. */
  readonly sessionId?: SessionId;
  readonly prompt: string;
  /** Undefined: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** What it may still use before it is stopped between two calls of the model. */
  readonly maxTokens?: number | undefined;
  /** Whether a person may be waited for. Without a server nobody could take the run up again after the answer. */
  readonly waitsForApproval: boolean;
}

/** Submits a prompt and waits for what comes of it. Whatever stops it early also cancels its run, durably. */
export async function takeTurn(context: CliContext, request: TurnRequest): Promise<TurnOutcome> {
  const { turns, agentId, sessionId, prompt, timeoutMs } = request;
  const { live, clock } = context;
  const submitted = submitRun(turns, { agentId, message: prompt, sessionId });
  const runId = await namingAgent(agentId, submitted);
  await assertExecuted(turns, runId);
  const stop = createStop({ interrupt: context.signal, clock, timeoutMs });
  const printer = new AnswerPrinter(live, false);
  const watch = createWatch(context, stop, request);
  try {
    const awaited = await awaitRunEnd({
      way: turns,
      runId,
      stop,
      onEvent(event) {
        printer.take(event);
        watch(event);
      },
      onStop: (cause) => live.note(`${NOTES[cause]}: cancelling`),
    });
    if (awaited.cancelFault) live.warn(awaited.cancelFault.message);
    return toTurnOutcome({ prompt, runId }, awaited);
  } finally {
    stop.release();
  }
}

const NOTES = {
  interrupt: 'interrupted',
  timeout: 'out of time',
  budget: 'the budget is used up',
  approval: 'a call needs an approval',
} as const;

/** This process executes what it gets a place for when it submits; nobody would ever take up a run that has to queue. */
async function assertExecuted(turns: TurnWay, id: string): Promise<void> {
  if (turns.via !== 'local') return;
  const { runs } = turns.here;
  const runId = id as RunId;
  if ((await runs.get(runId)).status !== 'queued') return;
  await runs.cancel({ runId, reason: 'not executed', actor: 'system' });
  throw new RuntimeError('conflict', 'another turn of this session is going on', {
    details: {
      target: id,
      hint: 'wait until it has ended, or start claw serve: it queues them',
    },
  });
}

/** Looks for what ends a turn early or has to be told. */
function createWatch(
  { live }: CliContext,
  stop: Stop,
  { maxTokens, waitsForApproval, turns }: TurnRequest,
): (event: RunEvent) => void {
  let tokens = 0;
  return ({ event_type: type, payload }) => {
    if (type === 'model.completed') {
      tokens += countTokens(payload['usage']);
      const calls = payload['tool_calls'];
      // An answer ends the run by itself; what it cost is spent.
      const goesOn = Array.isArray(calls) && calls.length > 0;
      if (goesOn && maxTokens !== undefined && tokens >= maxTokens) stop.now('budget');
    }
    if (type === 'policy.decision' && payload['decision'] === 'ask') {
      if (!waitsForApproval || turns.via === 'local') return stop.now('approval');
      live.note(`waiting: claw approvals approve ${String(payload['approval_id'])}`);
    }
  };
}

function countTokens(usage: unknown): number {
  if (!isJsonObject(usage)) return 0;
  return [usage['input_tokens'], usage['output_tokens']]
    .filter((count) => typeof count === 'number')
    .reduce((sum, count) => sum + count, 0);
}
