import type { Clock } from '../clock.ts';
import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import type { RecordMark, RunStore } from '../runs/run-store.ts';
import { inParallel } from './in-parallel.ts';
import { createRecordCursors } from './record-cursors.ts';
import { recordRuns } from './record-runs.ts';
import type { RecordSink } from './record-sink.ts';

const RUNS_PER_PASS = 64;
/** Above this, ids are dropped; their runs are found again when they move or have ended. */
const MAX_DIRTY_RUNS = 20_000;
const MAX_CURSORS = 50_000;
const UNRECORDED_PAGE = 256;
const PARALLEL_MARKS = 64;
const SYNC_INTERVAL_MS = 1_000;

export interface RecordBacklogDeps {
  readonly runs: Pick<RunStore, 'find' | 'list' | 'listUnrecorded' | 'markRecorded'>;
  readonly events: EventLog;
  readonly sink: RecordSink;
  readonly clock: Clock;
}

/**
 * What has to be recorded still. The log in the database is the truth and is durable before anybody hears of an
 * event; the files follow it, so they are synced at most once a second and at the end, for many runs at once. A run
 * is marked as recorded only after such a sync: until then a restart writes what the files lack, and asks them first,
 * so that no line is written twice.
 */
export class RecordBacklog {
  readonly #deps: RecordBacklogDeps;
  readonly #cursors = createRecordCursors(MAX_CURSORS);
  readonly #dirty = new Set<RunId>();
  #finished: RecordMark[] = [];
  /** Whether runs may have ended that no wake-up told of. */
  #mustSearch = true;
  #hasBegun = false;
  #isUnsynced = false;
  #syncedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RecordBacklogDeps) {
    this.#deps = deps;
  }

  note(id: RunId): void {
    if (this.#dirty.size < MAX_DIRTY_RUNS) this.#dirty.add(id);
    else this.#mustSearch = true;
  }

  noteUnknown(): void {
    this.#mustSearch = true;
  }

  /** Records all there is. Answers how long until a sync is due, or undefined when everything is synced and marked. */
  async catchUp(mustSync: boolean): Promise<number | undefined> {
    await this.#begin();
    while (this.#dirty.size > 0 || this.#mustSearch) {
      if (this.#dirty.size === 0) await this.#search();
      await this.#recordSome();
      if (this.#syncDueInMs() <= 0) await this.#settle();
    }
    if (!this.#isUnsynced && this.#finished.length === 0) return undefined;
    if (!mustSync && this.#syncDueInMs() > 0) return this.#syncDueInMs();
    await this.#settle();
    return undefined;
  }

  /** Runs that exist already may have lines from before; only what is born later is known to have none. */
  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    const newest = (await this.#deps.runs.list({ limit: 1 })).runs[0];
    if (newest !== undefined) this.#cursors.forgetUntil(newest.createdAtMs);
    this.#hasBegun = true;
  }

  async #search(): Promise<void> {
    // What is finished but not marked would fill the page and hide the rest.
    await this.#settle();
    for (const { run } of await this.#deps.runs.listUnrecorded(UNRECORDED_PAGE)) {
      const cursor = this.#cursors.find(run.id);
      if (cursor?.stage === 'finished') continue;
      if (cursor === undefined) {
        const { agentId, createdAtMs: bornMs } = run;
        const unknown = { agentId, bornMs, seq: undefined, stage: 'open', isClosed: true } as const;
        this.#cursors.add(run.id, { ...unknown });
      } else {
        cursor.isClosed = true;
      }
      this.#dirty.add(run.id);
    }
    this.#mustSearch = this.#dirty.size > 0;
  }

  async #recordSome(): Promise<void> {
    const ids = firstOf(this.#dirty, RUNS_PER_PASS);
    for (const id of ids) this.#dirty.delete(id);
    try {
      this.#isUnsynced = true;
      const pass = await recordRuns({ ...this.#deps, cursors: this.#cursors }, ids);
      for (const id of pass.again) this.#dirty.add(id);
      this.#finished.push(...pass.finished.map((run) => ({ ...run, bundled: true })));
      if (pass.fault !== undefined) throw pass.fault;
    } catch (error) {
      for (const id of ids) this.#dirty.add(id);
      throw error;
    }
  }

  #syncDueInMs(): number {
    return this.#syncedAtMs + SYNC_INTERVAL_MS - this.#deps.clock.nowMs();
  }

  async #settle(): Promise<void> {
    if (!this.#isUnsynced && this.#finished.length === 0) return;
    await this.#deps.sink.sync();
    this.#isUnsynced = false;
    this.#syncedAtMs = this.#deps.clock.nowMs();
    await inParallel(this.#finished, PARALLEL_MARKS, (mark) => this.#deps.runs.markRecorded(mark));
    this.#finished = [];
  }
}

function firstOf<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count) break;
    first.push(item);
  }
  return first;
}
