import type { StopReason } from '../runs/run.ts';
import type { RunState } from './run-state.ts';

/** What one run may use. Reaching a limit ends the run; nothing is asked of the model after it. */
export interface RunLimits {
  readonly maxTurns: number;
  readonly maxDurationMs: number;
  readonly maxTokens: number;
  /** Null: no limit. What has no known price can't be counted against it; the rest is. */
  readonly maxCostUsd: number | null;
  /** Takeovers in a row with nothing to show for them: such a run breaks whoever takes it. */
  readonly maxRecoveries: number;
}

export interface ReachedLimit {
  readonly stopReason: StopReason;
  readonly message: string;
}

export function findReachedLimit(state: RunState, limits: RunLimits): ReachedLimit | undefined {
  const { turns } = state.totals;
  if (turns - state.turnsBefore >= limits.maxTurns) {
    return {
      stopReason: 'max_turns_reached',
      message: `the run used its ${limits.maxTurns} model turns`,
    };
  }
  const { knownTokens: tokens, knownCostUsd: costUsd } = state;
  if (tokens >= limits.maxTokens) {
    return {
      stopReason: 'max_budget_reached',
      message: `the run used ${tokens} of ${limits.maxTokens} tokens`,
    };
  }
  if (limits.maxCostUsd !== null && costUsd >= limits.maxCostUsd) {
    return {
      stopReason: 'max_budget_reached',
      message: `the run cost ${costUsd.toFixed(4)} of ${limits.maxCostUsd} USD`,
    };
  }
  return undefined;
}

export function durationLimit(limits: RunLimits): ReachedLimit {
  return {
    stopReason: 'timeout',
    message: `the run did not finish within ${limits.maxDurationMs} ms`,
  };
}
