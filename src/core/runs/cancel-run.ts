import type { Actor } from '../events/event.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import { toCancelDrafts, UNKNOWN_END } from './cancel-drafts.ts';
import { type EndAtRestDeps, endAtRest } from './end-at-rest.ts';
import type { Run } from './run.ts';
import { runNotFound } from './run-not-found.ts';
import type { CancelDrafts, CancelEnding, CancelResult, RunStore } from './run-store.ts';
import type { RunSlots } from './runner.ts';

export interface CancelRun {
  readonly runId: RunId;
  readonly reason: string;
  readonly actor: Actor;
}

export interface CancelDeps extends EndAtRestDeps {
  readonly runs: RunStore;
  readonly slots: RunSlots | undefined;
}

/** A run at rest may be called up, and rest again, while we read its log; more often in a row, it is at work. */
const MAX_LOOKS = 4;

/** Durable and idempotent: a second wish, or one that comes after the end, changes nothing. */
export async function cancelRun(deps: CancelDeps, request: CancelRun): Promise<CancelResult> {
  for (let look = 1; ; look += 1) {
    const run = await deps.runs.find(request.runId);
    if (!run) throw runNotFound(request.runId);
    const drafts = await prepare(deps, request, { run, look });
    faultPoint('cancel.before_record');
    const result = await deps.runs.requestCancel(request.runId, drafts);
    if (result.isStale) continue;
    // A runner elsewhere looks for it; ours need not wait for that.
    deps.slots?.cancel(request.runId);
    return result;
  }
}

interface Look {
  readonly run: Run;
  /** How often it was looked at. */
  readonly look: number;
}

async function prepare(
  deps: CancelDeps,
  { reason, actor }: CancelRun,
  { run, look }: Look,
): Promise<CancelDrafts> {
  const { seal } = deps;
  // Nobody has begun it: there is nothing to tell. A thread that has got no frame owes nobody an answer.
  if (run.startedAtMs === undefined) {
    const isQuiet = run.thread !== undefined && run.status === 'waiting';
    return toCancelDrafts(seal, { reason, actor, isQuiet });
  }
  const plain = toCancelDrafts(seal, { reason, actor });
  if (look === MAX_LOOKS) return plain;
  // Somebody has it in hand, as far as one can see, and reading its log would only keep the wish waiting.
  if (look === 1 && run.status === 'running') return { ...plain, ending: UNSEEN };
  const { ending, owesAnswer } = await endAtRest(deps, run);
  const wish = { reason, actor, end: ending.end, isQuiet: !owesAnswer };
  return { ...toCancelDrafts(seal, wish), ending };
}

/** No log is that short: should nobody hold the run, the answer is to look first. */
const UNSEEN: CancelEnding = { atSeq: 0, results: [], effects: [], end: UNKNOWN_END };
