import type { Clock } from '../clock.ts';
import type { AgentId, RunId } from '../ids.ts';
import { createGate } from '../runs/gate.ts';
import type { RunStore } from '../runs/run-store.ts';
import { type EventType, isTerminalEvent, type NewsEvent } from './event.ts';
import type { EventNews, Wakeups } from './event-log.ts';
import { createPendingRuns, type PendingRuns } from './pending-runs.ts';
import { isStaleCursor } from './stale-cursor.ts';
import { openWatchPositions, type WatchPositions } from './watch-positions.ts';

export interface WatchDeps {
  readonly runs: Pick<RunStore, 'find' | 'list'>;
  readonly news: EventNews;
  readonly wakeups: Pick<Wakeups, 'watchRuns'>;
  readonly clock: Pick<Clock, 'after'>;
}

export interface WatchRequest {
  readonly types: ReadonlySet<EventType>;
  readonly agentId?: AgentId;
  readonly signal: AbortSignal;
  /** Runs with news that a slow reader has not come to; one more and it has lagged. */
  readonly maxPendingRuns?: number;
}

export type WatchStep =
  /** From here on nothing is missed. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'events'; readonly events: readonly NewsEvent[] }
  /** The reader was too slow and events are left out: what it knows has to be loaded anew. */
  | { readonly kind: 'lagged' };

const PAGE_SIZE = 200;
const MAX_PENDING_RUNS = 1_000;
/** Backs the wake-ups, which may be lost. */
const POLL_MS = 15_000;

/**
 * The events of all runs from now on, in order for each run, as pages. Wake-ups only name runs, and each page is read
 * when the reader has room for it, so a slow reader holds a bounded set of ids and nothing else.
 */
export async function* watchEvents(
  deps: WatchDeps,
  request: WatchRequest,
): AsyncGenerator<WatchStep> {
  const { signal } = request;
  const gate = createGate();
  const pending = createPendingRuns(request.maxPendingRuns ?? MAX_PENDING_RUNS, () => gate.open());
  // Watch before the first look: an event committed between the two would wake nobody.
  const unwatch = deps.wakeups.watchRuns((runId) => pending.add(runId));
  const onAbort = () => gate.open();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    let positions = await openWatchPositions(deps.runs);
    yield { kind: 'ready' };
    while (!signal.aborted) {
      if (pending.takeOverflow()) {
        positions = await openWatchPositions(deps.runs);
        yield { kind: 'lagged' };
        continue;
      }
      const runId = pending.take();
      if (runId === undefined) await waitForNews({ deps, pending, positions, gate });
      else yield* readRun({ deps, pending, positions, request }, runId);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    unwatch();
  }
}

interface Wait {
  readonly deps: WatchDeps;
  readonly pending: PendingRuns;
  readonly positions: WatchPositions;
  readonly gate: ReturnType<typeof createGate>;
}

async function waitForNews({ deps, pending, positions, gate }: Wait): Promise<void> {
  let isPollDue = false;
  const cancelPoll = deps.clock.after(POLL_MS, () => {
    isPollDue = true;
    gate.open();
  });
  try {
    await gate.wait();
  } finally {
    cancelPoll();
  }
  if (!isPollDue) return;
  for (const runId of await positions.listBehind()) pending.add(runId);
}

interface Reading {
  readonly deps: WatchDeps;
  readonly pending: PendingRuns;
  readonly positions: WatchPositions;
  readonly request: WatchRequest;
}

async function* readRun(reading: Reading, runId: RunId): AsyncGenerator<WatchStep> {
  const { deps, pending, positions, request } = reading;
  const after = await positions.find(runId);
  if (after === undefined) return;
  const page = await readNews(deps.news, runId, after);
  if (page === 'stale') {
    positions.end(runId);
    yield { kind: 'lagged' };
    return;
  }
  const last = page.at(-1);
  if (last === undefined) return;
  if (isTerminalEvent(last)) positions.end(runId);
  else positions.advance(runId, last.seq);
  // Behind the others: one busy run must not hold up the news of all.
  if (page.length === PAGE_SIZE) pending.add(runId);
  const { agentId, types } = request;
  const wanted = page.filter(
    (event) => types.has(event.type) && (agentId === undefined || event.agentId === agentId),
  );
  if (wanted.length > 0) yield { kind: 'events', events: wanted };
}

/** `stale`: the reader was so slow that what it has not seen of an ended run is no longer kept. */
async function readNews(
  news: EventNews,
  runId: RunId,
  after: number,
): Promise<NewsEvent[] | 'stale'> {
  try {
    return await news.read(runId, { after, limit: PAGE_SIZE });
  } catch (thrown) {
    if (isStaleCursor(thrown)) return 'stale';
    throw thrown;
  }
}
