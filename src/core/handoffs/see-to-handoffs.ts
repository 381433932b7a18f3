import { toRuntimeError } from '../errors.ts';
import { type DeliverDeps, deliverHandoff, endHandoff, reportHandoff } from './deliver-handoff.ts';
import type { Handoff } from './handoff.ts';

type Step = (deps: DeliverDeps, handoff: Handoff) => Promise<void>;

interface Seen {
  /** They are tried again later. */
  readonly failed: number;
  /** There may be more of them. */
  readonly isFull: boolean;
}

/** In one look; the next one goes on with the rest. */
const PER_LOOK = 50;

/** Takes the next step of every hand-off that waits for one. */
export async function seeToAll(deps: DeliverDeps, signal: AbortSignal): Promise<Seen> {
  const { store } = deps;
  const looks: readonly (readonly [(limit: number) => Promise<Handoff[]>, Step])[] = [
    [store.listOpen, deliverHandoff],
    [store.listEnded, endHandoff],
    [store.listUnreported, reportHandoff],
  ];
  let failed = 0;
  let isFull = false;
  for (const [list, step] of looks) {
    const handoffs = signal.aborted ? [] : await list(PER_LOOK);
    isFull ||= handoffs.length === PER_LOOK;
    failed += await seeTo(deps, handoffs, step);
  }
  return { failed, isFull };
}

/** Answers how many of them could not be seen to: one that fails keeps no other waiting. */
export async function seeTo(
  deps: DeliverDeps,
  handoffs: readonly Handoff[],
  step: Step,
): Promise<number> {
  let failed = 0;
  for (const handoff of handoffs) {
    try {
      await step(deps, handoff);
    } catch (thrown) {
      failed += 1;
      const { code, message } = toRuntimeError(thrown);
      const fields = { handoff_id: handoff.id, code, reason: message };
      deps.logger.warn(fields, 'a hand-off waits: it is tried again');
    }
  }
  return failed;
}
