import type { RunId } from '../ids.ts';
import type { RunDiff } from './diff-runs.ts';
import type { TurnPrompt } from './read-prompt.ts';
import { type RecordingDeps, readEndedRun } from './read-recording.ts';
import { createRecording } from './recording.ts';
import type { Replay, ReplayDeps } from './replay-recording.ts';

/** Runs looked at again. Nothing is called and nothing is written. */
export interface Replays {
  /** Throws `not_found`, `conflict` while the run goes on, and `stale_cursor` when its beginning is no longer kept. */
  replay(runId: RunId): Promise<Replay>;
  /** What a model was asked in a turn; see `readPrompt`. */
  prompt(runId: RunId, turn: number): Promise<TurnPrompt>;
  /** Throws `not_found` and `stale_cursor`. */
  diff(left: RunId, right: RunId): Promise<RunDiff>;
}

/** The loop and all that comes with it are loaded when somebody asks: a command that lists runs needs none of it. */
export function createReplays(deps: RecordingDeps & ReplayDeps): Replays {
  return {
    async replay(runId) {
      const { run, log } = await readEndedRun(deps, runId);
      const { replayRecording } = await import('./replay-recording.ts');
      return replayRecording(deps, createRecording(run, log));
    },

    async prompt(runId, turn) {
      const { readPrompt } = await import('./read-prompt.ts');
      return readPrompt(deps, runId, turn);
    },

    async diff(left, right) {
      const { diffRuns } = await import('./diff-runs.ts');
      return diffRuns(deps, left, right);
    },
  };
}
