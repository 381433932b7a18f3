import { type Backoff, backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { EndedRun } from '../costs/close-runs.ts';
import { toRuntimeError } from '../errors.ts';
import type { EventLog } from '../events/event-log.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import type { Run } from '../runs/run.ts';
import type { RecordMark, RunStore } from '../runs/run-store.ts';
import { takeTurn } from '../take-turn.ts';
import { bundleRuns } from './bundle-runs.ts';
import { createRecordCursors } from './record-cursors.ts';
import { recordRuns } from './record-runs.ts';
import type { RecordSink } from './record-sink.ts';
import type { RecordStore } from './record-store.ts';

const RUNS_PER_PASS = 64;
const BUNDLES_PER_PASS = 16;
/** Runs that wait for their bundle and are known by id; the store knows the others. */
const DEFAULT_MAX_WAITING_BUNDLES = 512;
/** How soon to look whether it has become quiet. */
const QUIET_RETRY_MS = 250;
/**
 * However busy it is, bundles get a twentieth of the time, so that a process that is never quiet, or never lives long,
 * gets on too: what runs have cost is counted with them. Who asks for one meanwhile gets it from the log. A new file
 * costs the kernel up to half a millisecond, and a bundle has seven: at a fifth of the time they took a tenth of the
 * processor from the runs.
 */
const BUNDLES_REST = { times: 19, minMs: 50 };
/** For what could not be read or written. */
const RETRY: Backoff = { firstMs: 250, maxMs: 30_000 };
/** Where more runs than these fail, nothing can be written: all wait, and the store remembers them. */
const MAX_FAILED = 1_000;
/** Above this, ids are dropped; their runs are found again when they move or have ended. */
const MAX_DIRTY_RUNS = 20_000;
const MAX_CURSORS = 50_000;
const UNRECORDED_PAGE = 256;
const DEFAULT_SYNC_INTERVAL_MS = 1_000;
/** Within this time operating systems write to disk what nobody synced; only later bundles can be damaged. */
const UNSYNCED_MS = 60_000;
const MAX_CHECKED_BUNDLES = 2_000;
const CHECKED_PAGE = 200;
/** Three missed looks. Shorter, and a slow node loses its records to others; longer, and those of a dead one wait. */
const NODE_LEASE_MS = 90_000;
/** However much there is to write. */
const NODE_RENEWAL_MS = 30_000;

export interface RecordBacklogDeps {
  readonly runs: Pick<RunStore, 'find' | 'list' | 'listUnrecorded' | 'markRecorded'>;
  readonly events: EventLog;
  readonly records: Pick<RecordStore, 'listOwn' | 'renewNode'>;
  readonly sink: RecordSink;
  /** Told of ended runs before they count as recorded, perhaps more than once. */
  readonly closeRuns?: (ended: readonly EndedRun[]) => Promise<void>;
  readonly clock: Clock;
  /** Whether the process has better things to do than to write bundles; never when left out. */
  readonly isBusy?: () => boolean;
  /** How many runs are remembered that wait for that to pass. */
  readonly maxWaitingBundles?: number;
  /** Audit lines reach the disk at the latest after this time; one second unless given. */
  readonly syncIntervalMs?: number;
}

export interface Progress {
  /** When to go on: a sync is due then, or it may be quiet. Undefined when everything is synced and marked. */
  readonly nextInMs: number | undefined;
  /** Why some runs could not be recorded yet. The others were. */
  readonly fault: unknown;
}

/**
 * What has to be recorded still. The log in the database is the truth and is durable before anybody hears of an
 * event; the files follow it, so audit files are synced at most once a second and at the end, for many runs at once.
 * A run is marked as recorded only after such a sync: until then a restart writes what the files lack, and asks them
 * first, so that no line is written twice. Bundles wait for a quiet moment, are left to the operating system and checked
 * after a restart. Lines and bundle are marked each by itself: a crash before the bundle is no reason to read the files.
 */
export class RecordBacklog {
  readonly #deps: RecordBacklogDeps;
  readonly #cursors = createRecordCursors(MAX_CURSORS);
  readonly #dirty = new Set<RunId>();
  readonly #unbundled = new Set<RunId>();
  /** What is written and not marked yet. */
  readonly #marks = new Map<RunId, RecordMark>();
  #ended: EndedRun[] = [];
  /** Whether runs may have ended that no wake-up told of. */
  #mustSearch = true;
  /** Whether runs may lack a bundle that are not among those that wait for one. */
  #mayLackBundles = true;
  /** When bundles are due, however busy it is. */
  #bundlesAtMs = Number.NEGATIVE_INFINITY;
  /** Runs of just before the start without a whole bundle: damaged, or never written. */
  #suspects: RunId[] = [];
  readonly #failed = new Set<RunId>();
  readonly #failedBundles = new Set<RunId>();
  #failures = 0;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #fault: unknown;
  #hasBegun = false;
  #isUnsynced = false;
  #syncedAtMs = Number.NEGATIVE_INFINITY;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RecordBacklogDeps) {
    this.#deps = deps;
  }

  note(id: RunId): void {
    if (this.#dirty.size < MAX_DIRTY_RUNS) this.#dirty.add(id);
    else this.#mustSearch = true;
  }

  noteUnknown(): void {
    this.#mustSearch = true;
    this.#mayLackBundles = true;
  }

  /** Records all there is, but for most bundles while there is better to do. */
  async catchUp(mustSync: boolean): Promise<Progress> {
    const { clock } = this.#deps;
    await this.#begin();
    if (mustSync || clock.nowMs() >= this.#retryAtMs) this.#retry();
    for (;;) {
      if (this.#failed.size + this.#failedBundles.size > MAX_FAILED) await this.#giveUp();
      if (clock.nowMs() - this.#renewedAtMs >= NODE_RENEWAL_MS) await this.#renewNode();
      // Before the lines: where these never end, bundles would never be written.
      if (this.#unbundled.size > 0 && clock.nowMs() >= this.#bundlesAtMs) await this.#bundleSome();
      else if (this.#dirty.size > 0) await this.#recordSome();
      else if (this.#mustSearch) await this.#search();
      else if (!this.#lacksBundles || !(mustSync || this.#isTimeForBundles())) break;
      else if (this.#unbundled.size === 0) await this.#findUnbundled();
      else await this.#bundleSome();
      if (this.#syncDueInMs() <= 0) await this.#settle();
    }
    const isDone = !this.#isUnsynced && this.#marks.size === 0;
    if (isDone || mustSync || this.#syncDueInMs() <= 0) await this.#settle();
    this.#planRetry();
    return { nextInMs: this.#nextInMs(), fault: this.#fault };
  }

  get #lacksBundles(): boolean {
    return this.#unbundled.size > 0 || this.#mayLackBundles;
  }

  #isTimeForBundles(): boolean {
    return this.#deps.isBusy?.() !== true || this.#deps.clock.nowMs() >= this.#bundlesAtMs;
  }

  #nextInMs(): number | undefined {
    const waitsMs: number[] = [];
    if (this.#isUnsynced || this.#marks.size > 0) waitsMs.push(this.#syncDueInMs());
    if (this.#lacksBundles) waitsMs.push(QUIET_RETRY_MS);
    if (this.#fault !== undefined) waitsMs.push(this.#retryAtMs - this.#deps.clock.nowMs());
    return waitsMs.length === 0 ? undefined : Math.max(0, Math.min(...waitsMs));
  }

  #retry(): void {
    for (const id of this.#failed) this.#dirty.add(id);
    for (const id of this.#failedBundles) this.#unbundled.add(id);
    this.#failed.clear();
    this.#failedBundles.clear();
    this.#retryAtMs = Number.NEGATIVE_INFINITY;
    this.#fault = undefined;
  }

  async #giveUp(): Promise<never> {
    await this.#settle();
    throw toRuntimeError(this.#fault);
  }

  /** What failed once is left aside for longer each time; nobody else waits for it. */
  #planRetry(): void {
    if (this.#fault === undefined) {
      this.#failures = 0;
    } else if (this.#retryAtMs === Number.NEGATIVE_INFINITY) {
      this.#failures += 1;
      this.#retryAtMs = this.#deps.clock.nowMs() + backoffMs(RETRY, this.#failures);
    }
  }

  /** Runs that exist already may have lines from before; only what is born later is known to have none. */
  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    const newest = (await this.#deps.runs.list({ limit: 1 })).runs[0];
    if (newest !== undefined) {
      this.#cursors.forgetUntil(newest.createdAtMs);
      await this.#checkBundles(newest.updatedAtMs - UNSYNCED_MS);
    }
    this.#hasBegun = true;
  }

  /** Bundles are not synced, so a power loss may have damaged the latest; what is not whole is written again. */
  async #checkBundles(sinceMs: number): Promise<void> {
    const { runs, records, sink } = this.#deps;
    let before: RunId | undefined;
    for (let checked = 0; checked < MAX_CHECKED_BUNDLES; checked += CHECKED_PAGE) {
      const page = await runs.list({ limit: CHECKED_PAGE, ...(before && { before }) });
      const missing: RunId[] = [];
      for (const run of page.runs) {
        if (run.endedAtMs === undefined || run.endedAtMs < sinceMs) continue;
        if (!(await sink.hasBundle(run.agentId, run.id))) missing.push(run.id);
      }
      this.#suspects.push(...(await records.listOwn(missing)));
      before = page.next;
      if (before === undefined || (page.runs.at(-1)?.createdAtMs ?? 0) < sinceMs) return;
    }
  }

  /** The run has ended and lines of it are missing; the files will say which. */
  #noteEnded(run: Run): void {
    if (this.#failed.has(run.id)) return;
    const { id: runId, agentId, createdAtMs: bornMs, lastSeq: closedSeq } = run;
    const cursor = this.#cursors.find(runId);
    if (cursor?.stage === 'finished') {
      // Its mark was lost: another node had taken the run, and is gone.
      this.#mark({ runId, auditedSeq: closedSeq, bundled: true });
      return;
    }
    if (cursor) cursor.closedSeq = closedSeq;
    else this.#cursors.add(runId, { agentId, bornMs, seq: undefined, stage: 'open', closedSeq });
    this.#dirty.add(runId);
  }

  async #search(): Promise<void> {
    if (await this.#deps.sink.seal()) this.#isUnsynced = true;
    await this.#settle();
    await this.#renewNode();
    const found = await this.#deps.runs.listUnrecorded(UNRECORDED_PAGE, 'lines');
    for (const { run } of found) this.#noteEnded(run);
    this.#mustSearch = this.#dirty.size > 0;
    if (this.#mustSearch) return;
    // Whoever has a cursor was recorded just now, or will be, bundle and all.
    for (const id of this.#suspects) if (!this.#cursors.find(id)) this.#unbundled.add(id);
    this.#suspects = [];
  }

  async #findUnbundled(): Promise<void> {
    // What was bundled and is not marked yet would be found again.
    await this.#settle();
    const found = await this.#deps.runs.listUnrecorded(UNRECORDED_PAGE, 'bundle');
    for (const { run } of found) if (!this.#failedBundles.has(run.id)) this.#unbundled.add(run.id);
    this.#mayLackBundles = this.#unbundled.size > 0;
  }

  async #renewNode(): Promise<void> {
    await this.#deps.records.renewNode(NODE_LEASE_MS);
    this.#renewedAtMs = this.#deps.clock.nowMs();
  }

  async #recordSome(): Promise<void> {
    const ids = firstOf(this.#dirty, RUNS_PER_PASS);
    for (const id of ids) this.#dirty.delete(id);
    try {
      this.#isUnsynced = true;
      // News of other nodes' runs come here too; each run is recorded by one node.
      const own = await this.#deps.records.listOwn(ids);
      const pass = await recordRuns({ ...this.#deps, cursors: this.#cursors }, own);
      for (const id of pass.again) this.#dirty.add(id);
      for (const id of pass.failed) this.#failed.add(id);
      for (const { id, auditedSeq } of pass.ended) this.#noteLines(id, auditedSeq);
      this.#fault ??= pass.fault;
    } catch (error) {
      for (const id of ids) this.#dirty.add(id);
      throw error;
    }
  }

  /** Its lines are all written; what it lacks is a bundle. */
  #noteLines(id: RunId, auditedSeq: number): void {
    this.#mark({ runId: id, auditedSeq, bundled: false });
    const { maxWaitingBundles = DEFAULT_MAX_WAITING_BUNDLES } = this.#deps;
    if (this.#unbundled.size < maxWaitingBundles) this.#unbundled.add(id);
    else this.#mayLackBundles = true;
  }

  #mark({ runId, auditedSeq, bundled }: RecordMark): void {
    const known = this.#marks.get(runId);
    this.#marks.set(runId, {
      runId,
      auditedSeq: Math.max(auditedSeq, known?.auditedSeq ?? 0),
      bundled: bundled || known?.bundled === true,
    });
  }

  async #bundleSome(): Promise<void> {
    const beganMs = this.#deps.clock.nowMs();
    const ids = firstOf(this.#unbundled, BUNDLES_PER_PASS);
    const pass = await bundleRuns(this.#deps, ids);
    // A disk that is waited for in this thread answers without a turn; news and an end must get through all the same.
    await takeTurn();
    for (const id of ids) this.#unbundled.delete(id);
    for (const ended of pass.bundled) {
      this.#cursors.finish(ended.runId);
      this.#ended.push(ended);
      this.#mark({ runId: ended.runId, auditedSeq: 0, bundled: true });
    }
    for (const id of pass.failed) this.#failedBundles.add(id);
    this.#fault ??= pass.fault;
    const nowMs = this.#deps.clock.nowMs();
    const { times, minMs } = BUNDLES_REST;
    this.#bundlesAtMs = nowMs + Math.max(minMs, times * (nowMs - beganMs));
  }

  #syncDueInMs(): number {
    return (
      this.#syncedAtMs +
      (this.#deps.syncIntervalMs ?? DEFAULT_SYNC_INTERVAL_MS) -
      this.#deps.clock.nowMs()
    );
  }

  async #settle(): Promise<void> {
    if (!this.#isUnsynced && this.#marks.size === 0) return;
    await this.#deps.sink.sync();
    this.#isUnsynced = false;
    this.#syncedAtMs = this.#deps.clock.nowMs();
    await this.#deps.closeRuns?.(this.#ended);
    this.#ended = [];
    if (this.#marks.size === 0) return;
    faultPoint('record.before_mark');
    await this.#deps.runs.markRecorded([...this.#marks.values()]);
    this.#marks.clear();
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
