import { RuntimeError } from '../errors.ts';
import { runTopic, type Wakeups } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import type { RunStore } from '../runs/run-store.ts';

export interface WatchDeps {
  readonly runs: Pick<RunStore, 'find'>;
  readonly wakeups: Pick<Wakeups, 'subscribe'>;
}

/** Says when the run that a call is made for is cancelled, by whomever and on whichever node. */
export interface RunWatch {
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * The run has been looked at when it returns. A run that ends in another way ends no call: what it left under way was
 * wanted, and breaking a write off would only leave it unknown.
 */
export async function watchRun(deps: WatchDeps, runId: RunId | undefined): Promise<RunWatch> {
  const cancelled = new AbortController();
  const { signal } = cancelled;
  if (runId === undefined) return { signal, close: () => {} };
  const closed = new AbortController();
  // Before the first look: a cancel between the two would wake nobody.
  const wakeup = deps.wakeups.subscribe(runTopic(runId));
  const look = async () => {
    const reason = toReason(runId, (await deps.runs.find(runId))?.status);
    if (reason) cancelled.abort(reason);
  };
  const watch = async () => {
    while (!signal.aborted && (await wakeup.next({ signal: closed.signal }))) {
      // A store that can't be read now is asked again with the next wake-up.
      await look().catch(() => {});
    }
  };
  const close = () => {
    closed.abort();
    wakeup.close();
  };
  try {
    await look();
  } catch (thrown) {
    close();
    throw thrown;
  }
  void watch();
  return { signal, close };
}

function toReason(runId: RunId, status: string | undefined): RuntimeError | undefined {
  if (status === 'cancelling') {
    return new RuntimeError('cancelled', `run ${runId} is being cancelled`);
  }
  return status === 'cancelled'
    ? new RuntimeError('cancelled', `run ${runId} was cancelled`)
    : undefined;
}
