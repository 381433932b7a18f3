import type { EventLog } from '../events/event-log.ts';
import type { Seal } from '../events/seal.ts';
import { CANCEL_REASON, toCancelDrafts } from '../runs/cancel-drafts.ts';
import type { RunEnd } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import { cutText } from '../sessions/cut-text.ts';
import { type Frame, isEnding, reasonOf, stopsAtOnce, textOf } from '../threads/frame.ts';
import { toStopReason } from './answers/stopped-answer.ts';
import { findTakeable } from './apply-frame.ts';
import { answerClientCalls, isClientCall } from './client-calls.ts';
import type { Execution } from './execution.ts';
import { isAnswer } from './model.ts';
import type { RunState } from './run-state.ts';
import { settleOpenCalls } from './tool-turn.ts';
import type { ToolTurnDeps } from './tool-turn-deps.ts';

export interface ThreadLoopDeps extends ToolTurnDeps {
  readonly events: Pick<EventLog, 'readFrames'>;
  readonly runs: Pick<RunStore, 'requestCancel'>;
  readonly seal: Seal;
}

/** What a run that takes frames does next. */
export type ThreadStep =
  /** `isNew`: it takes messages in, and what it leads to is an answer of its own. */
  | { readonly kind: 'turn'; readonly isNew: boolean }
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
  if (ending && stopsAtOnce(ending)) return endBy(deps, execution, ending);
  const isWaitingForClient = state.pending.length > 0;
  if (!isWaitingForClient && mustAnswer(state)) {
    return { kind: 'turn', isNew: findTakeable(state) !== undefined };
  }
  if (ending) return endBy(deps, execution, ending);
  if (!isWaitingForClient && hasAnswered(state) && !run.thread?.staysOpen) {
    // A message may come in this moment, and it was promised a turn.
    const unlessFrameAfter = state.inbox.through;
    const stopReason = toStopReason(state.lastFinish);
    return { kind: 'end', end: { ...complete(state, ''), stopReason, unlessFrameAfter } };
  }
  return { kind: 'rest' };
}

/** Whether somebody waits for an answer that the run has not given. */
export function owesAnswer(state: RunState): boolean {
  return state.pending.length > 0 || mustAnswer(state);
}

/** Whether only calls are left that the client has to answer. */
export function waitsForClient(state: RunState): boolean {
  return (
    state.pending.length > 0 &&
    state.pending.every((call) => call.payload !== undefined && isClientCall(state, call))
  );
}

/** Takes note of what was sent since it was looked last. */
export async function readNewFrames(
  deps: Pick<ThreadLoopDeps, 'events'>,
  execution: Execution,
): Promise<void> {
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
  // Whoever gives a whole conversation may end it with words of the model, for it to go on from there.
  if (state.totals.turns === 0 && state.prompt) return true;
  if (state.totals.turns === 0 && state.goal === '') return false;
  return last !== undefined && !isAnswer(last);
}

function hasAnswered(state: RunState): boolean {
  const last = state.messages.at(-1);
  return state.totals.turns > 0 && last !== undefined && isAnswer(last);
}

async function endBy(
  deps: ThreadLoopDeps,
  execution: Execution,
  frame: Frame,
): Promise<ThreadStep> {
  if (frame.kind === 'cancel') await recordCancel(deps, execution, frame);
  await settleOpenCalls(deps, execution);
  return { kind: 'end', end: toEnd(frame, execution.state) };
}

/** Whoever accepted the frame may have died before it recorded the wish; readers of the log look for that. */
async function recordCancel(
  { runs, seal }: ThreadLoopDeps,
  { run }: Execution,
  frame: Frame,
): Promise<void> {
  const reason = reasonOf(frame) || CANCEL_REASON;
  await runs.requestCancel(run.id, toCancelDrafts(seal, { reason, actor: 'user' }));
}

const MAX_CODE_CHARS = 128;

function toEnd(frame: Frame, state: RunState): RunEnd {
  switch (frame.kind) {
    case 'cancel':
      return cancelled(state);
    case 'fail': {
      const code = cutText(textOf(frame.payload['reason_class']), MAX_CODE_CHARS);
      const message = reasonOf(frame) || 'the client reported a failure';
      const error = { code: code || 'execution_failed', message };
      const { lastText: output, totals } = state;
      return { status: 'failed', stopReason: 'failed', output, error, totals };
    }
    default:
      return complete(state, textOf(frame.payload['output']) || reasonOf(frame));
  }
}

export function cancelled({ lastText: output, totals }: RunState): RunEnd {
  return { status: 'cancelled', stopReason: 'cancelled', output, totals };
}

function complete({ lastText, totals }: RunState, otherwise: string): RunEnd {
  const output = lastText || otherwise || 'completed';
  return { status: 'completed', stopReason: 'completed', output, totals };
}
