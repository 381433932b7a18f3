import { type RuntimeError, toRuntimeError } from '../errors.ts';
import type { RunEnd, StopReason } from '../runs/run.ts';
import { toStopReason } from './answers/stopped-answer.ts';
import { findTakeable, takeMessages } from './apply-frame.ts';
import { parseDirectTool } from './direct-tool.ts';
import type { Execution } from './execution.ts';
import { findReachedLimit, type RunLimits } from './limits.ts';
import { findLoop, loopText } from './loop-guard.ts';
import { isAnswer, type Models, type ToolRequest } from './model.ts';
import { type ModelTurnDeps, takeModelTurn } from './model-turn.ts';
import { guidanceText, mustAskUser } from './recovery.ts';
import {
  cancelled,
  nextThreadStep,
  readNewFrames,
  type ThreadLoopDeps,
  waitsForClient,
} from './thread-loop.ts';
import { makeCalls, settleOpenCalls } from './tool-turn.ts';

export interface RunLoopDeps extends ModelTurnDeps, ThreadLoopDeps {
  readonly models: Models;
  readonly limits: RunLimits;
}

/** `resting`: it has done what there was to do and waits for its next frame, in nobody's hands. */
export type Reached = RunEnd | 'resting';

/** Turns until the run has an answer, reaches a limit or fails. Throws only when it must stop without an end. */
export async function runLoop(deps: RunLoopDeps, execution: Execution): Promise<Reached> {
  try {
    if (takesFrames(execution)) return await runThread(deps, execution);
    const direct = parseDirectTool(execution.state.goal);
    if (direct) return await runDirectTool(deps, execution, direct);
    return await runToAnswer(deps, execution);
  } catch (thrown) {
    // A stop comes as the signal's reason; what follows from it is the runner's to decide.
    if (execution.signal.aborted) throw execution.signal.reason;
    const error = toRuntimeError(thrown);
    // The run rests; its open call is the question somebody has to answer.
    if (error.code === 'approval_required') throw error;
    await settleOpenCalls(deps, execution);
    if (error.code === 'budget_exceeded') {
      const { code, message } = error;
      return { ...endAtLimit(execution, 'max_budget_reached', message), error: { code, message } };
    }
    return endWithFault(execution, error);
  }
}

function takesFrames({ run, state }: Execution): boolean {
  return run.thread !== undefined || state.prompt !== undefined;
}

/** Turns until the model wants nothing more, and nobody has written to the run meanwhile. */
async function runToAnswer(deps: RunLoopDeps, execution: Execution): Promise<RunEnd> {
  const model = await deps.models.get(execution.state.model ?? execution.agent.model);
  for (;;) {
    const { pending } = execution.state;
    if (pending.length > 0) await makeCalls(deps, execution, pending);
    if (execution.hasMail) await readNewFrames(deps, execution);
    const through = findTakeable(execution.state);
    if (through === undefined) {
      const reached = (pending.length > 0 && findHandBack(execution)) || findAnswer(execution);
      // Somebody may write in this moment, and was promised a turn.
      if (reached) return { ...reached, unlessFrameAfter: execution.state.inbox.through };
    }
    const limit = findReachedLimit(takeMessages(execution.state, through), deps.limits);
    if (limit) return endAtLimit(execution, limit.stopReason, limit.message);
    await takeModelTurn(deps, execution, model);
  }
}

/** Turns as frames ask for them, then rest. A model is looked for when a turn needs it: a run may end without one. */
async function runThread(deps: RunLoopDeps, execution: Execution): Promise<Reached> {
  for (;;) {
    const { pending, trace } = execution.state;
    if (pending.length > 0 && !waitsForClient(execution.state)) {
      await deps.tracer.continueTrace(trace ?? {}, () => makeCalls(deps, execution, pending));
      const handedBack = findHandBack(execution);
      if (handedBack) return handedBack;
    }
    const step = await nextThreadStep(deps, execution);
    if (step.kind === 'end') return step.end;
    if (step.kind === 'rest') {
      const rest = await execution.journal.rest(execution.state.inbox.through);
      if (rest === 'rested') return 'resting';
      if (rest === 'cancelling') {
        await settleOpenCalls(deps, execution);
        return cancelled(execution.state);
      }
      continue;
    }
    if (step.isNew) execution.beginAnswer();
    // What counts is the run with the messages that the turn takes in: they begin the count of turns anew.
    const asked = takeMessages(execution.state, findTakeable(execution.state));
    const limit = findReachedLimit(asked, deps.limits);
    if (limit) return endAtLimit(execution, limit.stopReason, limit.message);
    const model = await deps.models.get(execution.state.model ?? execution.agent.model);
    const caller = asked.trace ?? {};
    await deps.tracer.continueTrace(caller, () => takeModelTurn(deps, execution, model));
  }
}

/** A direct call goes the way of a model's; only nobody announced it, so after a crash it may not be on record yet. */
async function runDirectTool(
  deps: RunLoopDeps,
  execution: Execution,
  request: ToolRequest,
): Promise<RunEnd> {
  if (execution.state.totals.toolCalls === 0) {
    const { pending } = execution.state;
    const isOnRecord = pending.length > 0;
    const calls = isOnRecord ? pending : [{ request, payload: undefined, isRedacted: false }];
    await makeCalls(deps, execution, calls);
  }
  const result = execution.state.messages.findLast((message) => message.role === 'tool');
  return end(execution, 'completed', `${request.tool}: ${result?.text ?? ''}`);
}

function findAnswer(execution: Execution): RunEnd | undefined {
  const { messages, lastFinish } = execution.state;
  const last = messages.at(-1);
  return last && isAnswer(last) ? end(execution, toStopReason(lastFinish), last.text) : undefined;
}

function findHandBack(execution: Execution): RunEnd | undefined {
  const { state } = execution;
  if (mustAskUser(state.recovery)) {
    return end(execution, 'needs_guidance', guidanceText(state.goal, state.recovery.attempts));
  }
  const loop = findLoop(state.loop);
  if (loop) return end(execution, 'loop_detected', loopText(loop, state.toolsUsed));
  return undefined;
}

const EMPTY_ANSWER = 'The model ended the run without an answer.';

function end(execution: Execution, stopReason: StopReason, output: string): RunEnd {
  const text = output.trim() === '' ? EMPTY_ANSWER : output;
  return { status: 'completed', stopReason, output: text, totals: execution.state.totals };
}

export function endAtLimit(execution: Execution, stopReason: StopReason, message: string): RunEnd {
  const { lastText, totals } = execution.state;
  const code = stopReason === 'timeout' ? 'timeout' : 'limit_reached';
  const output = lastText === '' ? `Stopped: ${message}.` : `${lastText}\n\nStopped: ${message}.`;
  return { status: 'failed', stopReason, output, error: { code, message }, totals };
}

function endWithFault(execution: Execution, error: RuntimeError): RunEnd {
  return {
    status: 'failed',
    stopReason: 'failed',
    output: execution.state.lastText,
    error: { code: error.code, message: error.message },
    totals: execution.state.totals,
  };
}
