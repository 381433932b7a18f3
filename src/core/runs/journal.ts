import type { NewApproval } from '../approvals/approval.ts';
import type { EffectWrite } from '../effects/effect.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { EventDraft, SealedDraft } from '../events/event.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunEnd } from './run.ts';
import type { AppendResult, LeaseRef, RunStore } from './run-store.ts';

/**
 * The writing end of one run's log, for the runner that holds its lease. Notes are buffered, commits are sent in
 * order without waiting, and a barrier waits until all of them are durable. Only an effect needs the barrier: waiting
 * after every event would cost a disk flush each and protect nothing more.
 */
export interface Journal {
  note(draft: EventDraft, effect?: EffectWrite): void;
  /** Notes a step of the effect ledger that has no event of its own. */
  noteEffect(effect: EffectWrite): void;
  /** Sends what was noted, at once or when the commit under way is done; waits only when too much is waiting. */
  commit(): Promise<void>;
  /** Commits and waits until everything noted so far is durable. Throws `lost_lease` or the storage's fault. */
  barrier(): Promise<void>;
  /** Writes the terminal event and the run's end together with whatever was noted before. */
  finish(terminal: EventDraft, end: RunEnd): Promise<void>;
  /** Puts the run to rest until somebody has answered. */
  park(asked: EventDraft, approval: NewApproval): Promise<void>;
}

export interface JournalDeps {
  readonly runs: RunStore;
  readonly seal: Seal;
  readonly lease: LeaseRef;
  /** Told once, when the log refuses this runner: the work in hand must stop. */
  readonly onRefused: (error: RuntimeError) => void;
}

/** Events that may wait for the commit under way. A fast model on a slow disk waits here instead of piling up. */
const MAX_WAITING_EVENTS = 256;

/**
 * One commit is under way at a time, and what is noted meanwhile goes with the next: a run of three tool steps makes
 * three of them before its end instead of eleven, each a message to the writer and perhaps a flush.
 */
export function createJournal(deps: JournalDeps): Journal {
  let buffer = emptyBatch();
  let fault: RuntimeError | undefined;
  let underWay: Promise<void> | undefined;
  let isDue = false;

  function fail(error: RuntimeError): void {
    if (fault) return;
    fault = error;
    deps.onRefused(error);
  }

  function send(): void {
    isDue = false;
    underWay = append(take()).then(() => {
      underWay = undefined;
      if (isDue && !isEmpty(buffer) && !fault) send();
    });
  }

  async function append({ drafts, effects }: Batch): Promise<void> {
    try {
      const result = await deps.runs.append(deps.lease, drafts, effects);
      const refusal = toRefusal(deps.lease, result);
      if (refusal) fail(refusal);
    } catch (thrown) {
      fail(toRuntimeError(thrown));
    }
  }

  function take(): Batch {
    const batch = buffer;
    buffer = emptyBatch();
    return batch;
  }

  async function commit(): Promise<void> {
    if (fault) throw fault;
    if (isEmpty(buffer)) return;
    if (underWay) isDue = true;
    else send();
    while (underWay && buffer.drafts.length >= MAX_WAITING_EVENTS) await underWay;
  }

  async function settle(): Promise<void> {
    while (underWay) await underWay;
    if (fault) throw fault;
  }

  return {
    note(draft, effect) {
      buffer.drafts.push(deps.seal(draft));
      if (effect) buffer.effects.push(effect);
    },

    noteEffect: (effect) => void buffer.effects.push(effect),

    commit,

    async barrier() {
      await commit();
      await settle();
    },

    async finish(terminal, end) {
      // What waits goes with the end: ahead of it, it would cost a flush of its own.
      isDue = false;
      await settle();
      faultPoint('run.before_finish');
      const { drafts, effects } = take();
      const last = [...drafts, deps.seal(terminal)];
      const result = await deps.runs.finish(deps.lease, last, end, effects);
      faultPoint('run.after_finish');
      const refusal = toRefusal(deps.lease, result);
      if (refusal) throw refusal;
    },

    async park(asked, approval) {
      // The call and its intent go first: a crash in between asks again, which is harmless.
      await commit();
      await settle();
      const result = await deps.runs.park(deps.lease, [deps.seal(asked)], approval);
      const refusal = toRefusal(deps.lease, result);
      if (refusal) throw refusal;
    },
  };
}

/** What waits for the next commit. */
interface Batch {
  readonly drafts: SealedDraft[];
  readonly effects: EffectWrite[];
}

function emptyBatch(): Batch {
  return { drafts: [], effects: [] };
}

function isEmpty({ drafts, effects }: Batch): boolean {
  return drafts.length === 0 && effects.length === 0;
}

function toRefusal(lease: LeaseRef, result: AppendResult): RuntimeError | undefined {
  if (result.outcome === 'appended') return undefined;
  return new RuntimeError('lost_lease', `run ${lease.runId} refused an append: ${result.reason}`, {
    details: { reason: result.reason },
  });
}
