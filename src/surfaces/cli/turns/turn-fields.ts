import type { RouteMatch } from '../../../core/inventory/route-prompt.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Failure } from '../program/failure.ts';
import type { TakenTurns } from './take-turns.ts';
import type { Turn } from './turn.ts';

/** A turn in a JSON document. */
export function encodeTurn(turn: Turn): JsonObject {
  const { run } = turn;
  return {
    prompt: turn.prompt,
    output: turn.output,
    stop_reason: turn.stopReason,
    cancel_observed: turn.cancelObserved,
    run_id: turn.runId ?? null,
    // The contract has numbers here.
    input_tokens: run?.usage.input_tokens ?? 0,
    output_tokens: run?.usage.output_tokens ?? 0,
  };
}

export function encodeMatch({ kind, name, score, sourceHint }: RouteMatch): JsonObject {
  return { kind, name, score, source_hint: sourceHint };
}

export function namesOf(matches: readonly RouteMatch[], kind: RouteMatch['kind']): string[] {
  return matches.filter((match) => match.kind === kind).map(({ name }) => name);
}

/** A limit that the caller set, or the operator, is no failure; only running out of time has a code of its own. */
export function toTurnFailure({
  turns,
  fault,
}: Pick<TakenTurns, 'turns' | 'fault'>): Failure | undefined {
  if (fault !== undefined) return { exitCode: 1, error: fault };
  const last = turns.at(-1);
  if (last?.stopReason === 'timeout') {
    const observed = last.cancelObserved || last.runId === undefined;
    const left = observed
      ? ''
      : `; run ${last.runId} was told to stop and has not said that it did`;
    return { exitCode: 2, message: `out of time${left}` };
  }
  if (last?.stopReason !== 'cancelled') return undefined;
  return {
    exitCode: 1,
    error: {
      kind: 'runtime',
      operation: 'run',
      target: last.runId ?? last.prompt,
      retryable: true,
      message: last.runId === undefined ? 'cancelled' : `run ${last.runId} was cancelled`,
      hint: 'the session is as it was before this turn',
    },
  };
}
