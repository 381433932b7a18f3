import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import { applyFact } from './apply-fact.ts';
import type { RunState } from './run-state.ts';

const PAGE_SIZE = 500;

/** The state of a run as its log tells it, from what was there before it. Nothing is called again. */
export async function replayRun(
  log: Pick<EventLog, 'read'>,
  runId: RunId,
  initial: RunState,
): Promise<RunState> {
  let state = initial;
  let after = 0;
  let lastAtMs: number | undefined;
  for (;;) {
    // Whoever claims a run has learned how far its log goes.
    const page = await log.read(runId, { after, limit: PAGE_SIZE, mayBeRecent: true });
    for (const event of page) {
      state = applyFact(state, event);
      if (event.type === 'run.recovered')
        state = addPause(state, event.atMs - (lastAtMs ?? event.atMs));
      lastAtMs = event.atMs;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return state;
    after = last.seq;
  }
}

/** While nobody had the run, as when everything was stopped, its time did not pass. */
function addPause(state: RunState, pausedMs: number): RunState {
  return { ...state, waitedMs: state.waitedMs + Math.max(0, pausedMs) };
}
