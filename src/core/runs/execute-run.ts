import type { AgentStore } from '../agents/agent.ts';
import type { ReadSoul } from '../agents/souls.ts';
import { defined } from '../defined.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { Logger } from '../log.ts';
import { applyFact } from '../loop/apply-fact.ts';
import { encodeEnd } from '../loop/encode-end.ts';
import { createExecution, type Execution, ghostOf, isLeftOpen } from '../loop/execution.ts';
import { durationLimit } from '../loop/limits.ts';
import { findNewConditions } from '../loop/record/conditions.ts';
import { replayRun } from '../loop/replay.ts';
import { endAtLimit, type Reached, type RunLoopDeps, runLoop } from '../loop/run-loop.ts';
import { INITIAL_STATE, type RunState } from '../loop/run-state.ts';
import { cancelled as endCancelled, owesAnswer } from '../loop/thread-loop.ts';
import { settleOpenCalls } from '../loop/tool-turn.ts';
import { toEndMessage } from '../sessions/end-message.ts';
import { type ContextDeps, loadContext } from '../sessions/load-context.ts';
import { inStage } from '../telemetry.ts';
import type { Journal, JournalDeps } from './journal.ts';
import type { Run, RunEnd, RunFault } from './run.ts';
import type { RunControl } from './run-control.ts';
import type { ClaimedRun } from './run-store.ts';

export interface ExecuteDeps extends RunLoopDeps, ContextDeps {
  readonly events: Pick<EventLog, 'read' | 'readFrames'>;
  readonly agents: Pick<AgentStore, 'find'>;
  /** The agent as its soul is now; a run keeps what it began with. */
  readonly readSoul: ReadSoul;
  readonly seal: Seal;
  readonly logger: Logger;
  readonly openJournal: (parts: Pick<JournalDeps, 'lease' | 'onRefused'>) => Journal;
}

/**
 * Takes a claimed run to its end, or to its rest. Throws when it has to stop without one (a lost lease, a shutdown, a failing disk);
 * the run then stays resumable.
 */
export async function executeRun(
  deps: ExecuteDeps,
  claimed: ClaimedRun,
  control: RunControl,
): Promise<Reached> {
  const { run } = claimed;
  faultPoint('run.dispatch');
  const journal = deps.openJournal({
    lease: { runId: run.id, leaseId: claimed.lease.id },
    onRefused: (error) => control.abort(error),
  });
  let execution: Execution | undefined;
  const timeLimit = createTimeLimit(deps, control);
  try {
    const [agent, state] = await Promise.all([findAgent(deps, claimed), loadState(deps, claimed)]);
    if (claimed.cancelRequested) control.abort(cancelled(state.cancelReason));
    execution = createExecution({
      run,
      agent: agent ?? ghostOf(run),
      journal,
      control,
      state,
      beginAnswer: () => timeLimit.start(deps.limits.maxDurationMs),
    });
    timeLimit.start(remainingMs(deps, run, state));
    for (;;) {
      const reached = await reachEnd(deps, execution, agent !== undefined);
      if (reached === 'resting') return reached;
      const end = await finish(deps, execution, reached);
      if (end) return end;
      control.hasMail = true;
    }
  } catch (thrown) {
    const defect = toRuntimeError(thrown);
    if (defect.code !== 'internal' || isLeftOpen(control.signal)) {
      // What is known by now saves the next owner from doing it again; if the log refuses, it has its reasons.
      await journal.barrier().catch(() => {});
      throw thrown;
    }
    // A fault of ours would meet the next owner too, and the one after: the run fails instead of going round.
    deps.logger.error({ run_id: run.id, err: defect.cause ?? defect }, 'run failed by a defect');
    const message = 'the runtime failed; see its log';
    const end = fault(execution?.state ?? INITIAL_STATE, { code: 'internal', message });
    return (await finish(deps, { run, journal, state: execution?.state }, end)) ?? end;
  } finally {
    timeLimit.stop();
  }
}

async function findAgent({ agents, readSoul }: ExecuteDeps, { run, agent: known }: ClaimedRun) {
  const agent = known ?? (await agents.find(run.agentId));
  return agent && readSoul(agent);
}

function createTimeLimit({ clock, limits }: ExecuteDeps, control: AbortController) {
  let stop = () => {};
  return {
    start(ms: number) {
      stop();
      stop = clock.after(ms, () => {
        control.abort(new RuntimeError('timeout', durationLimit(limits).message));
      });
    },
    stop: () => stop(),
  };
}

/** What the conversation said before, then what the run itself has on record. */
async function loadState(deps: ExecuteDeps, { run, isFresh }: ClaimedRun): Promise<RunState> {
  const initial = { ...INITIAL_STATE, ...(await loadContext(deps, run)) };
  if (!isFresh) return replayRun(deps.events, run.id, initial);
  return applyFact(initial, { type: 'run.created', payload: { message: run.message } });
}

interface Ending extends Pick<Execution, 'run' | 'journal'> {
  /** Absent when it could not be read. */
  readonly state: RunState | undefined;
}

/** Undefined when a frame came that the run has to take in before it may end. */
async function finish(
  deps: ExecuteDeps,
  { run, journal, state }: Ending,
  reached: RunEnd,
): Promise<RunEnd | undefined> {
  const end = redactEnd(deps, reached);
  // A thread's answers are in its conversation already.
  const passed = run.thread ? undefined : state?.passed;
  const message = leavesMessage(run, state) ? { message: toEndMessage(end, passed) } : {};
  const conditions =
    end.status === 'failed' && state ? findNewConditions(deps, { run, state }) : undefined;
  const payload = encodeEnd(end, defined({ conditions }));
  const terminal = { type: `run.${end.status}` as const, payload, ...message };
  const finished = await inStage(deps.tracer, 'end', () => journal.finish(terminal, end));
  return finished === 'finished' ? end : undefined;
}

/** Answers of a thread are in its conversation already; only an answer that is owed is still to be given. */
function leavesMessage({ sessionId, thread }: Run, state: RunState | undefined): boolean {
  if (sessionId === undefined) return false;
  return thread === undefined || state === undefined || owesAnswer(state);
}

async function reachEnd(
  deps: ExecuteDeps,
  execution: Execution,
  hasAgent: boolean,
): Promise<Reached> {
  const obstacle = findObstacle(deps, execution, hasAgent);
  if (obstacle) {
    await settleOpenCalls(deps, execution);
    return fault(execution.state, obstacle);
  }
  try {
    const caller = execution.state.trace ?? {};
    return await deps.tracer.continueTrace(caller, () => runLoop(deps, execution));
  } catch (thrown) {
    const reason = toRuntimeError(thrown);
    if (reason.code !== 'cancelled' && reason.code !== 'timeout') throw reason;
    await settleOpenCalls(deps, execution);
    if (reason.code === 'cancelled') return endCancelled(execution.state);
    return endAtLimit(execution, 'timeout', reason.message);
  }
}

function findObstacle(
  { limits }: ExecuteDeps,
  execution: Execution,
  hasAgent: boolean,
): RunFault | undefined {
  if (!hasAgent) {
    return { code: 'not_found', message: `agent ${execution.run.agentId} does not exist` };
  }
  if (execution.state.fruitlessRecoveries < limits.maxRecoveries) return undefined;
  const message = `given up after ${limits.maxRecoveries} recoveries without progress`;
  return { code: 'internal', message };
}

function remainingMs(deps: ExecuteDeps, run: Run, state: RunState): number {
  const { maxDurationMs } = deps.limits;
  // Whatever waits for its client rests meanwhile, and has the time of a run whenever it goes on.
  const rests = run.thread !== undefined || state.clientTools.length > 0;
  if (rests || run.startedAtMs === undefined) return maxDurationMs;
  return Math.max(0, run.startedAtMs + state.waitedMs + maxDurationMs - deps.clock.nowMs());
}

function fault({ lastText, totals }: RunState, error: RunFault): RunEnd {
  return { status: 'failed', stopReason: 'failed', output: lastText, error, totals };
}

/** The run's row holds the output as its event does: redacted. */
function redactEnd(deps: ExecuteDeps, end: RunEnd): RunEnd {
  const { error } = end;
  return {
    ...end,
    output: deps.redactor.redactText(end.output),
    ...(error === undefined
      ? {}
      : { error: { ...error, message: deps.redactor.redactText(error.message) } }),
  };
}

function cancelled(reason: string | undefined): RuntimeError {
  return new RuntimeError('cancelled', reason ?? 'cancel requested');
}
