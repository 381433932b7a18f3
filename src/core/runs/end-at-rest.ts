import type { EffectWrite } from '../effects/effect.ts';
import type { SealedDraft } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Seal } from '../events/seal.ts';
import { applyFact } from '../loop/apply-fact.ts';
import { ghostOf } from '../loop/execution.ts';
import { replayRun } from '../loop/replay.ts';
import { INITIAL_STATE } from '../loop/run-state.ts';
import { cancelled, owesAnswer } from '../loop/thread-loop.ts';
import { settleOpenCalls } from '../loop/tool-turn.ts';
import type { SettleDeps } from '../loop/tool-turn-deps.ts';
import type { Run } from './run.ts';
import type { CancelEnding } from './run-store.ts';

export interface EndAtRestDeps extends SettleDeps {
  readonly events: Pick<EventLog, 'read'>;
  readonly seal: Seal;
}

export interface EndAtRest {
  readonly ending: CancelEnding;
  readonly owesAnswer: boolean;
}

/** How a run that nobody executes would be cancelled: by its log, with a result for every call that is open. */
export async function endAtRest(deps: EndAtRestDeps, run: Run): Promise<EndAtRest> {
  const replayed = await replayRun(deps.events, run.id, INITIAL_STATE);
  const results: SealedDraft[] = [];
  const effects: EffectWrite[] = [];
  let state = replayed;
  await settleOpenCalls(deps, {
    run,
    agent: ghostOf(run),
    get state() {
      return state;
    },
    record(draft, effect) {
      results.push(deps.seal(draft));
      if (effect) effects.push(effect);
      state = applyFact(state, draft);
    },
  });
  return {
    ending: { atSeq: run.lastSeq, results, effects, end: cancelled(state) },
    owesAnswer: run.thread === undefined || owesAnswer(replayed),
  };
}
