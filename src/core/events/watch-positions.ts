import { defined } from '../defined.ts';
import type { RunId } from '../ids.ts';
import { isTerminal, type Run, type RunStatus } from '../runs/run.ts';
import type { RunFilter, RunStore } from '../runs/run-store.ts';

/** How far a reader of all runs has got in each of them. */
export interface WatchPositions {
  /** The last `seq` seen; undefined for a run that ended before the reader came, or that it has read to its end. */
  find(runId: RunId): Promise<number | undefined>;
  advance(runId: RunId, seq: number): void;
  end(runId: RunId): void;
  /** The runs that have news, whoever told of them or did not. */
  listBehind(): Promise<RunId[]>;
}

type Runs = Pick<RunStore, 'find' | 'list'>;

const OPEN: readonly RunStatus[] = ['running', 'waiting', 'cancelling', 'queued'];
const PAGE_SIZE = 100;
/** Of each status, and of runs that began between two looks. One beyond it begins for the reader with its next event but one. */
const MAX_PAGES = 50;
/** Runs that ended and whose late wake-ups are told from a new run's. */
const MAX_ENDED = 5_000;

/** The position of every open run as it is now: only what happens from here on is news. */
export async function openWatchPositions(runs: Runs): Promise<WatchPositions> {
  const open = new Map<RunId, number>();
  const ended = new Set<RunId>();
  // Before the open runs are listed: one that begins and ends meanwhile is then newer than this one.
  const newest = (await runs.list({ limit: 1 })).runs[0];
  for await (const run of listOpen(runs)) open.set(run.id, run.lastSeq);
  let lookedUpTo = newest;

  /** Undefined when the reader has seen all there is, or never wanted to. */
  function positionOf(run: Run): number | undefined {
    if (ended.has(run.id)) return undefined;
    const known = open.get(run.id);
    if (known !== undefined) return known;
    if (newest === undefined || isAfter(run, newest)) return 0;
    return isTerminal(run.status) ? undefined : run.lastSeq - 1;
  }

  return {
    async find(runId) {
      const known = open.get(runId);
      if (known !== undefined || ended.has(runId)) return known;
      const run = await runs.find(runId);
      return run && positionOf(run);
    },

    advance(runId, seq) {
      open.set(runId, seq);
    },

    end(runId) {
      open.delete(runId);
      ended.add(runId);
      const [oldest] = ended;
      if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
    },

    async listBehind() {
      const behind = new Set<RunId>();
      const look = (run: Run) => {
        if ((positionOf(run) ?? run.lastSeq) < run.lastSeq) behind.add(run.id);
      };
      let latest: Run | undefined;
      for await (const run of listRuns(runs, {})) {
        latest ??= run;
        if (lookedUpTo !== undefined && !isAfter(run, lookedUpTo)) break;
        look(run);
      }
      lookedUpTo = latest;
      const listed = new Set<RunId>();
      for await (const run of listOpen(runs)) {
        listed.add(run.id);
        look(run);
      }
      // What was open and is no longer has ended unheard. That holds only if the list was not cut off.
      if (listed.size < MAX_PAGES * PAGE_SIZE) {
        for (const id of open.keys()) if (!listed.has(id)) behind.add(id);
      }
      return [...behind];
    },
  };
}

function isAfter(run: Run, newest: Run): boolean {
  return run.createdAtMs >= newest.createdAtMs && run.id !== newest.id;
}

async function* listOpen(runs: Runs): AsyncGenerator<Run> {
  for (const status of OPEN) yield* listRuns(runs, { status });
}

/** Newest first. */
async function* listRuns(runs: Runs, filter: Pick<RunFilter, 'status'>): AsyncGenerator<Run> {
  let before: RunId | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await runs.list({
      ...filter,
      limit: PAGE_SIZE,
      ...defined({ before }),
    });
    yield* found.runs;
    before = found.next;
    if (before === undefined) return;
  }
}
