import type { EventDraft } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Seal } from '../events/seal.ts';
import { createExecution, ghostOf } from '../loop/execution.ts';
import { replayRun } from '../loop/replay.ts';
import { INITIAL_STATE } from '../loop/run-state.ts';
import { cancelled, owesAnswer } from '../loop/thread-loop.ts';
import { settleOpenCalls } from '../loop/tool-turn.ts';
import type { SettleDeps } from '../loop/tool-turn-deps.ts';
import type { Journal } from './journal.ts';
import type { Run } from './run.ts';
import type { CancelEnding } from './run-store.ts';

export interface EndAtRestDeps extends SettleDeps {
  readonly events: EventLog;
  readonly seal: Seal;
}

export interface EndAtRest {
  readonly ending: CancelEnding;
  readonly owesAnswer: boolean;
}

/** How a run that nobody executes would be cancelled: by its log, with a result for every call that is open. */
export async function endAtRest(deps: EndAtRestDeps, run: Run): Promise<EndAtRest> {
  const replayed = await replayRun(deps.events, run.id, INITIAL_STATE);
  const results: EventDraft[] = [];
  const execution = createExecution({
    run,
    agent: ghostOf(run),
    // The ledger is settled by the store as it ends the run.
    journal: { note: (draft: EventDraft) => void results.push(draft) } as Journal,
    signal: new AbortController().signal,
    state: replayed,
  });
  await settleOpenCalls(deps, execution);
  return {
    ending: {
      atSeq: run.lastSeq,
      results: results.map(deps.seal),
      end: cancelled(execution.state),
    },
    owesAnswer: run.thread === undefined || owesAnswer(replayed),
  };
}
