import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import type { Message } from '../loop/model.ts';
import { type RecordingDeps, readWholeRun } from './read-recording.ts';
import type { AskedModel } from './recorded-model.ts';
import { createRecording, numberOf, textOf } from './recording.ts';
import { type ReplayDeps, replayRecording } from './replay-recording.ts';

/** What a model was asked in a turn, as it got it: all but the descriptions of its tools. */
export interface TurnPrompt {
  readonly turn: number;
  /** The `model.requested` of its last attempt. */
  readonly seq: number;
  readonly provider: string;
  readonly model: string;
  readonly mode: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly toolCount: number;
  /** Empty for a log of a release that did not keep them. */
  readonly toolNames: readonly string[];
}

/**
 * Plays the run again up to a turn, also one that goes on: the log holds what was said and a digest of all of it, and not
 * all of it once more for every turn. What comes of it is what was asked, since the digests are compared on the way.
 * Throws `not_found`, `conflict` when the loop goes another way by now, and `stale_cursor`.
 */
export async function readPrompt(
  deps: RecordingDeps & ReplayDeps,
  runId: RunId,
  turn: number,
): Promise<TurnPrompt> {
  const { run, log } = await readWholeRun(deps, runId);
  assertAsked(log, runId, turn);
  let asked: AskedModel | undefined;
  const onAsked = (one: AskedModel) => {
    if (one.event.payload['turn'] === turn) asked = one;
  };
  const { divergence } = await replayRecording(deps, createRecording(run, log), onAsked);
  if (asked) return toPrompt(turn, asked);
  const where = divergence ? `: it goes another way at event ${divergence.seq}` : '';
  throw new RuntimeError(
    'conflict',
    `run ${runId} can't be played again up to turn ${turn}${where}`,
  );
}

function assertAsked(log: readonly Event[], runId: RunId, turn: number): void {
  const isAsked = log.some(
    ({ type, payload }) => type === 'model.requested' && payload['turn'] === turn,
  );
  if (isAsked) return;
  throw new RuntimeError('not_found', `run ${runId} has no turn ${turn}`, {
    details: { thing: 'turn' },
  });
}

function toPrompt(turn: number, { event, request }: AskedModel): TurnPrompt {
  const { seq, payload } = event;
  return {
    turn,
    seq,
    provider: textOf(payload['provider']),
    model: textOf(payload['model']),
    mode: textOf(payload['mode']),
    system: request.system,
    messages: request.messages,
    toolCount: numberOf(payload['tools']) ?? 0,
    toolNames: request.tools.map(({ name }) => name).filter((name) => name !== ''),
  };
}
