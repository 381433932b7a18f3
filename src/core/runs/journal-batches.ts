import type { Clock } from '../clock.ts';
import type { EffectWrite } from '../effects/effect.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { EventDraft, SealedDraft } from '../events/event.ts';
import type { Seal } from '../events/seal.ts';
import { createGathering } from './gathering.ts';
import type { AppendResult, LeaseRef, RunStore } from './run-store.ts';

/** What waits for the next commit. */
export interface JournalBatch {
  readonly drafts: SealedDraft[];
  readonly effects: EffectWrite[];
}

export interface JournalBatches {
  note(draft: EventDraft, effect?: EffectWrite): SealedDraft;
  noteEffect(effect: EffectWrite): void;
  commit(): Promise<void>;
  commitSoon(): Promise<void>;
  /** Sends at once, or when the commit under way is done. */
  flush(): void;
  /** Waits for the commit under way, and for what was due after it unless that is to go elsewhere. Throws its fault. */
  settle(options: { readonly sendsRest: boolean }): Promise<void>;
  /** What was noted and not sent. */
  take(): JournalBatch;
  /** What was taken and not written goes with the next commit after all. */
  putBack(batch: JournalBatch): void;
  readonly hasEffects: boolean;
}

export interface JournalBatchesDeps {
  readonly runs: Pick<RunStore, 'append'>;
  readonly seal: Seal;
  readonly lease: LeaseRef;
  readonly clock: Pick<Clock, 'after'>;
  readonly onRefused: (error: RuntimeError) => void;
}

/** Events that may wait for the commit under way. A fast model on a slow disk waits here instead of piling up. */
const MAX_WAITING_EVENTS = 256;

/**
 * One commit is under way at a time, and what is noted meanwhile goes with the next: each is a message to the writer, a
 * wake-up of every reader and perhaps a flush.
 */
export function createJournalBatches(deps: JournalBatchesDeps): JournalBatches {
  let buffer = emptyBatch();
  let fault: RuntimeError | undefined;
  let underWay: Promise<void> | undefined;
  let isDue = false;
  // A refusal is kept, and whoever notes next hears of it.
  const gathering = createGathering(deps.clock, () => fault || flush());

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

  async function append({ drafts, effects }: JournalBatch): Promise<void> {
    try {
      const result = await deps.runs.append(deps.lease, drafts, effects);
      const refusal = toRefusal(deps.lease, result);
      if (refusal) fail(refusal);
    } catch (thrown) {
      fail(toRuntimeError(thrown));
    }
  }

  function take(): JournalBatch {
    const batch = buffer;
    buffer = emptyBatch();
    return batch;
  }

  function flush(): void {
    if (fault) throw fault;
    gathering.stop();
    if (isEmpty(buffer)) return;
    if (underWay) isDue = true;
    else send();
  }

  async function commit(): Promise<void> {
    if (fault) throw fault;
    if (isEmpty(buffer)) return;
    if (buffer.drafts.length < MAX_WAITING_EVENTS) return gathering.untilTurnEnds();
    flush();
    while (underWay && buffer.drafts.length >= MAX_WAITING_EVENTS) await underWay;
  }

  return {
    get hasEffects() {
      return buffer.effects.length > 0;
    },

    note(draft, effect) {
      const sealed = deps.seal(draft);
      buffer.drafts.push(sealed);
      if (effect) buffer.effects.push(effect);
      return sealed;
    },

    noteEffect: (effect) => void buffer.effects.push(effect),

    commit,
    flush,

    async commitSoon() {
      if (fault) throw fault;
      if (buffer.drafts.length >= MAX_WAITING_EVENTS) return commit();
      gathering.forAMoment();
    },

    async settle({ sendsRest }) {
      gathering.stop();
      if (!sendsRest) isDue = false;
      while (underWay) await underWay;
      if (fault) throw fault;
    },

    take,

    putBack({ drafts, effects }) {
      buffer.drafts.unshift(...drafts);
      buffer.effects.unshift(...effects);
    },
  };
}

function emptyBatch(): JournalBatch {
  return { drafts: [], effects: [] };
}

function isEmpty({ drafts, effects }: JournalBatch): boolean {
  return drafts.length === 0 && effects.length === 0;
}

export function toRefusal(lease: LeaseRef, result: AppendResult): RuntimeError | undefined {
  return result.outcome === 'appended' ? undefined : refusedBy(lease, result.reason);
}

export function refusedBy(lease: LeaseRef, reason: string): RuntimeError {
  return new RuntimeError('lost_lease', `run ${lease.runId} refused an append: ${reason}`, {
    details: { reason },
  });
}
