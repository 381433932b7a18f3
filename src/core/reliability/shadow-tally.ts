import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Observe, ShadowDecision } from './observer.ts';

const SHADOW_DECISIONS = [
  'would_refuse_input',
  'would_replay',
  'would_wait',
  'would_conflict',
  'would_cut_off',
  'would_retry',
  'would_time_out',
] as const satisfies readonly ShadowDecision[];

type ShadowCounts = Readonly<Record<ShadowDecision, number>>;

/** What the layer would have done to one tool's calls. */
interface ShadowedTool {
  readonly toolId: string;
  readonly counts: ShadowCounts;
  readonly lastAtMs: number;
}

export interface ShadowReport {
  /** When the first of them was decided; undefined while there is none. */
  readonly sinceMs: number | undefined;
  /** By name. */
  readonly tools: readonly ShadowedTool[];
}

/** Keeps the report over restarts. */
export interface ShadowReportStore {
  read(): Promise<ShadowReport | undefined>;
  write(report: ShadowReport): Promise<void>;
}

/** Counts what the shadow reports, so that somebody can decide whether to turn the layer on. */
export interface ShadowTally {
  readonly observe: Observe;
  report(): ShadowReport;
  /** Adds what was counted before this process. */
  start(): Promise<void>;
  /** Writes what is not written yet. */
  stop(): Promise<void>;
}

export interface ShadowTallyDeps {
  readonly clock: Clock;
  readonly store: ShadowReportStore;
  readonly logger: Logger;
}

/** Tools are named by programs, so this many means that names are made up. */
const MAX_TOOLS = 2_000;
const WRITE_DELAY_MS = 2_000;

export function createShadowTally({ clock, store, logger }: ShadowTallyDeps): ShadowTally {
  const tools = new Map<string, ShadowedTool>();
  let sinceMs: number | undefined;
  let cancelTimer: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  function add(entry: ShadowedTool): void {
    const known = tools.get(entry.toolId);
    if (!known && tools.size >= MAX_TOOLS) return;
    tools.set(entry.toolId, known ? sum(known, entry) : entry);
  }

  function report(): ShadowReport {
    const sorted = [...tools.values()].sort((a, b) => (a.toolId < b.toolId ? -1 : 1));
    return { sinceMs, tools: sorted };
  }

  async function write(): Promise<void> {
    try {
      await store.write(report());
    } catch (thrown) {
      logger.warn({ code: toRuntimeError(thrown).code }, 'could not write the shadow report');
    }
  }

  function writeSoon(): void {
    cancelTimer ??= clock.after(WRITE_DELAY_MS, () => {
      cancelTimer = undefined;
      writing = writing.then(write);
    });
  }

  return {
    report,

    observe(event) {
      if (event.type !== 'shadow.decided') return;
      const atMs = clock.nowMs();
      sinceMs ??= atMs;
      const counts = { ...NO_COUNTS, [event.decision]: 1 };
      add({ toolId: event.toolId, counts, lastAtMs: atMs });
      writeSoon();
    },

    async start() {
      const before = await store.read();
      if (before?.sinceMs === undefined) return;
      sinceMs = Math.min(before.sinceMs, sinceMs ?? before.sinceMs);
      for (const tool of before.tools) add(tool);
    },

    async stop() {
      if (cancelTimer !== undefined) {
        cancelTimer();
        cancelTimer = undefined;
        writing = writing.then(write);
      }
      await writing;
    },
  };
}

const NO_COUNTS = Object.fromEntries(SHADOW_DECISIONS.map((name) => [name, 0])) as ShadowCounts;

function sum(a: ShadowedTool, b: ShadowedTool): ShadowedTool {
  const counts = Object.fromEntries(
    SHADOW_DECISIONS.map((name) => [name, a.counts[name] + b.counts[name]]),
  ) as ShadowCounts;
  return { toolId: a.toolId, counts, lastAtMs: Math.max(a.lastAtMs, b.lastAtMs) };
}
