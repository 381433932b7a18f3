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
  /** Sends what was noted; resolves at once unless too many commits are under way. */
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

/** Commits under way at once. Deltas of a fast model on a slow disk wait here instead of piling up. */
const MAX_IN_FLIGHT = 32;

export function createJournal(deps: JournalDeps): Journal {
  let buffer: SealedDraft[] = [];
  let fault: RuntimeError | undefined;
  const inFlight = new Set<Promise<void>>();

  function fail(error: RuntimeError): void {
    if (fault) return;
    fault = error;
    deps.onRefused(error);
  }

  function send(drafts: readonly SealedDraft[]): void {
    const sent: Promise<void> = deps.runs
      .append(deps.lease, drafts)
      .then((result) => {
        const refusal = toRefusal(deps.lease, result);
        if (refusal) fail(refusal);
      })
      .catch((thrown: unknown) => fail(toRuntimeError(thrown)))
      .finally(() => inFlight.delete(sent));
    inFlight.add(sent);
  }

  function take(): SealedDraft[] {
    const drafts = buffer;
    buffer = [];
    return drafts;
  }

  async function commit(): Promise<void> {
    if (fault) throw fault;
    if (buffer.length > 0) send(take());
    while (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
  }

  async function settle(): Promise<void> {
    await Promise.all(inFlight);
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
