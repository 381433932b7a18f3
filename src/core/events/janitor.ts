import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type EventRetention, planBatches } from './retention.ts';

/** Deletes events that nobody wants to keep. Any number of them may share a store: they only take work from each other. */
export interface Janitor {
  start(): void;
  /** Deletes what may go by now, or as much of it as one sweep takes. Answers how many events that were. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

export interface RetentionSettings {
  /** How long after its end a run keeps more than its newest event. Undefined: for ever. */
  readonly maxAgeMs: number | undefined;
  /** The newest events that an ended run keeps. Undefined: all. */
  readonly maxEventsPerRun: number | undefined;
  /** An ended run's log stays whole for this long, whatever the others say: readers may still be on their way. */
  readonly graceMs: number;
  readonly intervalMs: number;
}

export interface JanitorDeps {
  readonly retention: EventRetention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked before every batch: whoever turns deletion off wants it to end now. */
  readonly settings: () => RetentionSettings;
}

/** In one transaction. 200 short events take about 2 ms; appends wait no longer than that. */
const MAX_EVENTS_PER_BATCH = 200;
const RUNS_PER_PAGE = 100;
/** Between two batches, so that whoever waits for the writer gets its turn. */
const PAUSE_MS = 20;
/** What is left is for the next sweep. */
const MAX_BATCHES_PER_SWEEP = 10_000;
/** A start has more urgent things to do; a server that is restarted often sweeps all the same. */
const FIRST_SWEEP_MS = 10_000;
/** Then the interval is asked for again. */
const MAX_WAIT_MS = 10_000;

interface Rule {
  readonly endedForMs: number;
  readonly keepEvents: number;
}

export function createJanitor(deps: JanitorDeps): Janitor {
  const { retention, clock, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function sweep(): Promise<number> {
    const sweeping = { batchesLeft: MAX_BATCHES_PER_SWEEP, deleted: 0 };
    for (const find of [findAgeRule, findLengthRule]) await applyRule(find, sweeping);
    if (sweeping.deleted > 0) logger.info({ events: sweeping.deleted }, 'old events were deleted');
    return sweeping.deleted;
  }

  async function applyRule(find: FindRule, sweeping: Sweeping): Promise<void> {
    for (;;) {
      const rule = find(deps.settings());
      if (!rule || signal.aborted) return;
      const runs = await retention.listPrunable({ ...rule, limit: RUNS_PER_PAGE });
      const before = sweeping.deleted;
      const plan = { keepEvents: rule.keepEvents, maxEvents: MAX_EVENTS_PER_BATCH };
      for (const cuts of planBatches(runs, plan)) {
        if (signal.aborted || sweeping.batchesLeft === 0) return;
        if (!isSame(rule, find(deps.settings()))) return;
        sweeping.batchesLeft -= 1;
        sweeping.deleted += await retention.prune(cuts);
        await clock.sleep(PAUSE_MS, signal);
      }
      // Nothing to do, or nothing that this one can do: another janitor is at it.
      if (sweeping.deleted === before) return;
    }
  }

  /** In short steps: an interval that is made shorter counts at once. */
  async function waitForNext(): Promise<void> {
    let waitedMs = 0;
    while (!signal.aborted) {
      const leftMs = deps.settings().intervalMs - waitedMs;
      if (leftMs <= 0) return;
      const stepMs = Math.min(leftMs, MAX_WAIT_MS);
      await clock.sleep(stepMs, signal);
      waitedMs += stepMs;
    }
  }

  async function run(): Promise<void> {
    let hasFailed = false;
    await clock.sleep(Math.min(FIRST_SWEEP_MS, deps.settings().intervalMs), signal);
    while (!signal.aborted) {
      try {
        await sweep();
        hasFailed = false;
      } catch (thrown) {
        const { code } = toRuntimeError(thrown);
        if (!hasFailed) logger.error({ code }, 'old events could not be deleted, trying again');
        hasFailed = true;
      }
      await waitForNext();
    }
  }

  return {
    start() {
      running = run();
    },
    sweep,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface Sweeping {
  batchesLeft: number;
  deleted: number;
}

type FindRule = (settings: RetentionSettings) => Rule | undefined;

function findAgeRule({ maxAgeMs, graceMs }: RetentionSettings): Rule | undefined {
  if (maxAgeMs === undefined) return undefined;
  return { endedForMs: Math.max(maxAgeMs, graceMs), keepEvents: 1 };
}

function findLengthRule({ maxEventsPerRun, graceMs }: RetentionSettings): Rule | undefined {
  if (maxEventsPerRun === undefined) return undefined;
  return { endedForMs: graceMs, keepEvents: Math.max(1, maxEventsPerRun) };
}

function isSame(rule: Rule, other: Rule | undefined): boolean {
  return rule.endedForMs === other?.endedForMs && rule.keepEvents === other.keepEvents;
}
