import { type Backoff, backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { drainQueue, type PassResult } from './projection-pass.ts';
import { createProjectionQueue } from './projection-queue.ts';
import type { ProjectionSink } from './projection-sink.ts';
import type { ProjectionSource } from './projection-source.ts';
import type { ProjectionStore } from './projection-store.ts';
import { isBehind, scanProjection } from './scan-projection.ts';

const MAX_WAITING = 10_000;
/** Renewed with every round; another node takes over when this one is gone for so long. */
const WRITER_LEASE_MS = 60_000;
const PAUSE: Backoff = { firstMs: 1_000, maxMs: 60_000 };
/** Between two pages of a scan: it has time, and requests have not. */
const SCAN_PAUSE_MS = 5;
/** Clocks of nodes differ, and a transaction may commit after a younger one. */
const FLOOR_MARGIN_MS = 60_000;

export interface ProjectionWorkDeps {
  readonly sources: readonly ProjectionSource[];
  readonly store: ProjectionStore;
  readonly sink: ProjectionSink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** This process, as no other is called. */
  readonly owner: string;
  /** How long news are gathered before they are written. */
  readonly intervalMs: () => number;
  /** How often everything is looked through for news that nobody told of. */
  readonly scanMs: () => number;
  readonly signal: AbortSignal;
}

/** What has to be written to the sink still, and when that may be tried. */
export class ProjectionWork {
  readonly #deps: ProjectionWorkDeps;
  readonly #queue = createProjectionQueue(MAX_WAITING);
  /** Everything older than this has a checkpoint. */
  readonly #floors = new Map<ProjectionSource, number>();
  #nextScanMs = 0;
  #pausedUntilMs = 0;
  #drainedAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  /** What stands in the store is ours; before that it may be the last word of a process that is gone. */
  #hasReported = false;

  constructor(deps: ProjectionWorkDeps) {
    this.#deps = deps;
  }

  note(source: ProjectionSource, id: string): void {
    this.#queue.note({ source, id });
  }

  /** What was noted may be lost: everything has to be looked through again, after a while. */
  noteFault(): void {
    this.#nextScanMs = 0;
    this.#pause(this.#failures + 1);
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  nextDueMs(): number {
    return Math.min(this.#nextScanMs, this.#queue.nextDueMs() ?? this.#nextScanMs);
  }

  async work(): Promise<void> {
    if (!(await this.#hold())) return this.#standBy();
    if (this.#queue.takeOverflow()) {
      this.#floors.clear();
      this.#nextScanMs = 0;
    }
    if (this.#deps.clock.nowMs() >= this.#nextScanMs) await this.#scan();
    else await this.#drain();
  }

  #hold(): Promise<boolean> {
    return this.#deps.store.holdWriter(this.#deps.owner, WRITER_LEASE_MS);
  }

  /** Another node writes. What it has not written when it goes is found by looking everything through. */
  #standBy(): void {
    this.#hasReported = false;
    this.#queue.clear();
    this.#floors.clear();
    this.#nextScanMs = 0;
    this.#pausedUntilMs = this.#deps.clock.nowMs() + WRITER_LEASE_MS / 2;
  }

  async #scan(): Promise<void> {
    const { clock, signal, sources, store } = this.#deps;
    for (const source of sources) {
      let newestMs: number | undefined;
      for await (const page of scanProjection({ store, source }, this.#floors.get(source))) {
        newestMs ??= page[0]?.position.createdAtMs;
        const before = this.#queue.mark();
        for (const entity of page) if (isBehind(entity)) this.note(source, entity.position.id);
        if (!(await this.#drain(this.#isGathering() ? before : 0)) || signal.aborted) return;
        await clock.sleep(SCAN_PAUSE_MS, signal);
      }
      if (newestMs !== undefined) this.#floors.set(source, newestMs - FLOOR_MARGIN_MS);
    }
    this.#nextScanMs = clock.nowMs() + this.#deps.scanMs();
  }

  /** Whether news have to wait still, while a scan writes what it finds. */
  #isGathering(): boolean {
    return this.#deps.clock.nowMs() - this.#drainedAtMs < this.#deps.intervalMs();
  }

  /** False when there is no use in going on now. */
  async #drain(after = 0): Promise<boolean> {
    const hold = () => this.#hold();
    const news = { after, through: this.#queue.mark() };
    const result = await drainQueue({ ...this.#deps, queue: this.#queue, hold }, news);
    if (after === 0) this.#drainedAtMs = this.#deps.clock.nowMs();
    await this.#report(result);
    if (result.outcome === 'lost_writer') this.#standBy();
    if (result.outcome === 'sink_failed') this.#pause(this.#failures);
    return result.outcome === 'done';
  }

  async #report({ written, failed, error }: PassResult): Promise<void> {
    const { logger, store } = this.#deps;
    if (failed > 0 && written === 0) {
      this.#failures += 1;
      if (this.#failures === 1) {
        logger.error({ reason: error }, 'projections are not written, retrying');
      }
      await store.reportHealth({ failures: this.#failures, error });
      this.#hasReported = true;
    } else if (written > 0 && (this.#failures > 0 || !this.#hasReported)) {
      if (this.#failures > 0) {
        logger.info({ failures: this.#failures }, 'projections are written again');
      }
      this.#failures = 0;
      await store.reportHealth({ failures: 0, error: undefined });
      this.#hasReported = true;
    }
  }

  #pause(times: number): void {
    this.#pausedUntilMs = this.#deps.clock.nowMs() + backoffMs(PAUSE, times);
  }
}
