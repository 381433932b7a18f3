import { RuntimeError } from '../errors.ts';
import type { NewsEvent } from '../events/event.ts';
import type { Run } from '../runs/run.ts';
import type { Runs } from '../runs/runs.ts';
import { type AnswerEnd, type AnswerPart, createAnswerFold } from './answer.ts';

/** An answer that is being given, or was given before. */
export interface Exchange {
  readonly run: Run;
  /** Of the event that asked for it. */
  readonly startSeq: number;
  /** It was asked for before, under the same key. */
  readonly replayed: boolean;
}

/** What one event adds to an answer. */
export interface AnswerStep {
  readonly seq: number;
  /** The reader had it in an earlier stream. */
  readonly isSeen: boolean;
  readonly parts: readonly AnswerPart[];
}

export interface FollowAnswer {
  /** The last event of which the reader has all; 0 for none. */
  readonly seenThrough: number;
  readonly signal: AbortSignal;
}

/** A run that says nothing for so long waits for a person or hangs; the run itself goes on. */
const IDLE_MS = 30 * 60_000;

/** An answer step by step, as it comes. Ends after its `end` part, or when the signal aborts. */
export async function* followAnswer(
  runs: Pick<Runs, 'tail'>,
  { run, startSeq }: Exchange,
  { seenThrough, signal }: FollowAnswer,
): AsyncGenerator<readonly AnswerStep[]> {
  const fold = createAnswerFold({ seenThrough, heldThrough: run.lastSeq });
  const toStep = (event: NewsEvent): AnswerStep => {
    const { seq } = event;
    return { seq, isSeen: seq <= seenThrough, parts: fold.isOver ? [] : fold.read(event) };
  };
  const place = { runId: run.id, after: startSeq - 1, idleMs: IDLE_MS, signal };
  for await (const page of runs.tail(place)) {
    const steps = page.map(toStep).filter(({ parts }) => parts.length > 0);
    if (steps.length > 0) yield steps;
    if (fold.isOver) return;
  }
  if (!signal.aborted) throw silent(run);
}

/** An answer whole. Throws why there is none; the run goes on when the signal aborts. */
export async function awaitAnswer(
  runs: Pick<Runs, 'tail'>,
  { run, startSeq }: Exchange,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const fold = createAnswerFold({ seenThrough: 0, heldThrough: Number.POSITIVE_INFINITY });
  const place = { runId: run.id, after: startSeq - 1, idleMs: IDLE_MS, signal };
  for await (const page of runs.tail(place)) {
    for (const event of page) {
      const last = fold.read(event).at(-1);
      if (last?.type !== 'end') continue;
      if (last.end.error) throw last.end.error;
      return last.end;
    }
  }
  if (signal.aborted) throw new RuntimeError('cancelled', `stopped waiting for run ${run.id}`);
  throw silent(run);
}

function silent({ id }: Run): RuntimeError {
  return new RuntimeError(
    'timeout',
    `run ${id} has said nothing for ${IDLE_MS / 60_000} minutes and goes on: see GET /v1/runs/${id}`,
  );
}
