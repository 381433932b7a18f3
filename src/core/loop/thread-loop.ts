import type { EventLog } from '../events/event-log.ts';
import type { RunEnd } from '../runs/run.ts';
import { type Frame, isEnding, textOf } from '../threads/frame.ts';
import { findTakeable } from './apply-frame.ts';
import { answerClientCalls, isClientCall } from './client-calls.ts';
import type { Execution } from './execution.ts';
import type { RunState } from './run-state.ts';
import { settleOpenCalls } from './tool-turn.ts';
import type { ToolTurnDeps } from './tool-turn-deps.ts';

export interface ThreadLoopDeps extends ToolTurnDeps {
  readonly events: Pick<EventLog, 'readFrames'>;
}

/** What a run that takes frames does next. */
export type ThreadStep =
  | { readonly kind: 'turn' }
  | { readonly kind: 'end'; readonly end: RunEnd }
  | { readonly kind: 'rest' };

const PAGE_SIZE = 200;

/** Takes note of what was sent since, and answers with what to do about it. */
export async function nextThreadStep(
  deps: ThreadLoopDeps,
  execution: Execution,
): Promise<ThreadStep> {
  await readNewFrames(deps, execution);
  answerClientCalls({ deps, execution });
  const { state, run } = execution;
  const ending = state.inbox.frames.find(isEnding);
  const isWaitingForClient = state.pending.length > 0;
  if (!isWaitingForClient && mustAnswer(state)) return { kind: 'turn' };
  if (ending) {
    await settleOpenCalls(deps, execution);
    return { kind: 'end', end: endBy(ending, execution) };
  }
  if (!isWaitingForClient && hasAnswered(state) && !run.thread?.staysOpen) {
    return { kind: 'end', end: complete(state, '') };
  }
  return { kind: 'rest' };
}

/** Whether only calls are left that the client has to answer. */
export function waitsForClient(state: RunState): boolean {
  return (
    state.pending.length > 0 &&
    state.pending.every((call) => call.payload !== undefined && isClientCall(state, call))
  );
}

async function readNewFrames(deps: ThreadLoopDeps, execution: Execution): Promise<void> {
  for (;;) {
    const after = execution.state.inbox.through;
    const page = await deps.events.readFrames(execution.run.id, { after, limit: PAGE_SIZE });
    for (const event of page) execution.observe(event);
    if (page.length < PAGE_SIZE) return;
  }
}

/** There are new messages, or a turn that began was not finished. */
function mustAnswer(state: RunState): boolean {
  if (findTakeable(state) !== undefined) return true;
  const last = state.messages.at(-1);
  if (state.totals.turns === 0 && state.goal === '') return false;
  return last !== undefined && !isAnswer(last);
}

function hasAnswered(state: RunState): boolean {
  const last = state.messages.at(-1);
  return state.totals.turns > 0 && last !== undefined && isAnswer(last);
}

function isAnswer(message: RunState['messages'][number]): boolean {
  return message.role === 'assistant' && message.toolCalls.length === 0;
}

function endBy(frame: Frame, { state }: Execution): RunEnd {
  const reason = textOf(frame.payload['reason']) || textOf(frame.payload['message']);
  switch (frame.kind) {
    case 'cancel':
      return cancelled(state);
    case 'fail': {
      const code = textOf(frame.payload['reason_class']) || 'execution_failed';
      const error = { code, message: reason || 'the client reported a failure' };
      const { lastText: output, totals } = state;
      return { status: 'failed', stopReason: 'failed', output, error, totals };
    }
    default:
      return complete(state, textOf(frame.payload['output']) || reason);
  }
}

export function cancelled({ lastText: output, totals }: RunState): RunEnd {
  return { status: 'cancelled', stopReason: 'cancelled', output, totals };
}

function complete({ lastText, totals }: RunState, otherwise: string): RunEnd {
  const output = lastText || otherwise || 'completed';
  return { status: 'completed', stopReason: 'completed', output, totals };
}
