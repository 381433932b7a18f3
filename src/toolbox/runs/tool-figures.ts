import type { TracedToolResult } from '../../core/runs/trace.ts';

export interface ToolFigures {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  readonly avg_duration_ms: number;
  readonly max_duration_ms: number;
}

interface Tally {
  calls: number;
  errors: number;
  totalMs: number;
  maxMs: number;
}

export interface ToolTally {
  add(results: readonly Pick<TracedToolResult, 'tool' | 'error' | 'durationMs'>[]): void;
  /** How many results were added. */
  readonly size: number;
  /** By name. */
  figures(): readonly ToolFigures[];
}

export function createToolTally(): ToolTally {
  const tallies = new Map<string, Tally>();
  let size = 0;
  return {
    add(results) {
      for (const { tool, error, durationMs } of results) {
        const tally = tallies.get(tool) ?? { calls: 0, errors: 0, totalMs: 0, maxMs: 0 };
        tallies.set(tool, tally);
        size += 1;
        tally.calls += 1;
        if (error !== '') tally.errors += 1;
        tally.totalMs += durationMs;
        tally.maxMs = Math.max(tally.maxMs, durationMs);
      }
    },

    get size() {
      return size;
    },

    figures() {
      const named = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1));
      return named.map(([tool, { calls, errors, totalMs, maxMs }]) => ({
        tool,
        calls,
        errors,
        avg_duration_ms: Math.round(totalMs / calls),
        max_duration_ms: maxMs,
      }));
    },
  };
}
