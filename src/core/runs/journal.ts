import type { NewApproval } from '../approvals/approval.ts';
import type { Clock } from '../clock.ts';
import type { EffectWrite } from '../effects/effect.ts';
import type { RuntimeError } from '../errors.ts';
import type { EventDraft, SealedDraft } from '../events/event.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import {
  createJournalBatches,
  type JournalBatch,
  refusedBy,
  toRefusal,
} from './journal-batches.ts';
import type { RunEnd } from './run.ts';
import type { LeaseRef, RestResult, RunStore } from './run-store.ts';

/**
 * The writing end of one run's log, for the runner that holds its lease. Notes are buffered, commits are sent in
 * order without waiting, and a barrier waits until all of them are durable. Only an effect needs the barrier: waiting
 * after every event would cost a disk flush each and protect nothing more.
 */
export interface Journal {
  /** Answers with what will be on record. */
  note(draft: EventDraft, effect?: EffectWrite): SealedDraft;
  /** Notes a step of the effect ledger that has no event of its own. */
  noteEffect(effect: EffectWrite): void;
  /**
   * Sends what was noted at the end of this turn of the event loop, or when the commit under way is done; waits only
   * when too much is waiting.
   */
  commit(): Promise<void>;
  /** The same within ten milliseconds, for what a reader may see a moment later: more may come that goes with it. */
  commitSoon(): Promise<void>;
  /** Commits and waits until everything noted so far is durable. Throws `lost_lease` or the storage's fault. */
  barrier(): Promise<void>;
  /**
   * Writes the terminal event and the run's end together with whatever was noted before, unless a frame has come that
   * keeps the run from ending.
   */
  finish(terminal: EventDraft, end: RunEnd): Promise<'finished' | 'has_frames'>;
  /** Puts the run to rest until somebody has answered. */
  park(asked: EventDraft, approval: NewApproval): Promise<void>;
  /** Puts the run to rest until its next frame, unless there is one after `framesThrough` or a wish to cancel. */
  rest(framesThrough: number): Promise<Rest>;
}

type Rest = Exclude<RestResult['outcome'], 'refused'>;

export interface JournalDeps {
  readonly runs: RunStore;
  readonly seal: Seal;
  readonly lease: LeaseRef;
  readonly clock: Pick<Clock, 'after'>;
  /** Told once, when the log refuses this runner: the work in hand must stop. */
  readonly onRefused: (error: RuntimeError) => void;
}

export function createJournal(deps: JournalDeps): Journal {
  const batches = createJournalBatches(deps);

  /** What waits goes with the last write of this runner: ahead of it, it would cost a flush of its own. */
  async function takeLast(): Promise<JournalBatch> {
    await batches.settle({ sendsRest: false });
    return batches.take();
  }

  async function barrier(): Promise<void> {
    batches.flush();
    await batches.settle({ sendsRest: true });
  }

  return {
    note: batches.note,
    noteEffect: batches.noteEffect,
    commit: batches.commit,
    commitSoon: batches.commitSoon,
    barrier,

    async finish(terminal, end) {
      const batch = await takeLast();
      faultPoint('run.before_finish');
      const last = [...batch.drafts, deps.seal(terminal)];
      const result = await deps.runs.finish(deps.lease, last, end, batch.effects);
      faultPoint('run.after_finish');
      if (result.outcome === 'has_frames') {
        batches.putBack(batch);
        return 'has_frames';
      }
      const refusal = toRefusal(deps.lease, result);
      if (refusal) throw refusal;
      return 'finished';
    },

    async park(asked, approval) {
      // The call and its intent go first: a crash in between asks again, which is harmless.
      await barrier();
      const result = await deps.runs.park(deps.lease, [deps.seal(asked)], approval);
      const refusal = toRefusal(deps.lease, result);
      if (refusal) throw refusal;
    },

    async rest(framesThrough) {
      // A rest has no place for steps of the ledger; they go first.
      if (batches.hasEffects) await barrier();
      const { drafts } = await takeLast();
      faultPoint('run.before_rest');
      const result = await deps.runs.rest(deps.lease, drafts, framesThrough);
      faultPoint('run.after_rest');
      if (result.outcome === 'refused') throw refusedBy(deps.lease, result.reason);
      return result.outcome;
    },
  };
}
