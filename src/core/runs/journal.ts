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
  note(draft: EventDraft): void;
  /** Sends what was noted, at once or when the commit under way is done; waits only when too much is waiting. */
  commit(): Promise<void>;
  /** Commits and waits until everything noted so far is durable. Throws `lost_lease` or the storage's fault. */
  barrier(): Promise<void>;
  /** Writes the terminal event and the run's end together with whatever was noted before. */
  finish(terminal: EventDraft, end: RunEnd): Promise<void>;
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
  let buffer: SealedDraft[] = [];
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
      if (isDue && buffer.length > 0 && !fault) send();
    });
  }

  async function append(drafts: readonly SealedDraft[]): Promise<void> {
    try {
      const refusal = toRefusal(deps.lease, await deps.runs.append(deps.lease, drafts));
      if (refusal) fail(refusal);
    } catch (thrown) {
      fail(toRuntimeError(thrown));
    }
  }

  function take(): SealedDraft[] {
    const drafts = buffer;
    buffer = [];
    return drafts;
  }

  async function commit(): Promise<void> {
    if (fault) throw fault;
    if (buffer.length === 0) return;
    if (underWay) isDue = true;
    else send();
    while (underWay && buffer.length >= MAX_WAITING_EVENTS) await underWay;
  }

  async function settle(): Promise<void> {
    while (underWay) await underWay;
    if (fault) throw fault;
  }

  return {
    note: (draft) => void buffer.push(deps.seal(draft)),

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
      const result = await deps.runs.finish(deps.lease, [...take(), deps.seal(terminal)], end);
      faultPoint('run.after_finish');
      const refusal = toRefusal(deps.lease, result);
      if (refusal) throw refusal;
    },
  };
}

function toRefusal(lease: LeaseRef, result: AppendResult): RuntimeError | undefined {
  if (result.outcome === 'appended') return undefined;
  return new RuntimeError('lost_lease', `run ${lease.runId} refused an append: ${result.reason}`, {
    details: { reason: result.reason },
  });
}
