import { costOf, type ModelSpan, type Timeline } from '../timeline/span.ts';

interface Sums {
  readonly turns: number;
  readonly calls: number;
  /** Null: of a turn it is not known. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number;
  readonly costUsd: number | null;
}

/** What a run has taken so far, with the attempts that failed. */
export function sumUp({ spans }: Timeline): Sums {
  const turns = spans.filter((span): span is ModelSpan => span.kind === 'model');
  const spent = turns.flatMap(({ attempts, usage }) => [
    ...attempts.flatMap((attempt) => attempt.usage ?? []),
    ...(usage === undefined ? [] : [usage]),
  ]);
  return {
    turns: turns.length,
    calls: spans.filter((span) => span.kind === 'tool' && span.state !== 'asked').length,
    inputTokens: sum(spent.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(spent.map(({ outputTokens }) => outputTokens)),
    cachedTokens: sum(spent.map(({ cachedInputTokens = 0 }) => cachedInputTokens)) ?? 0,
    costUsd: sum(turns.map((turn) => costOf(turn)).filter((cost) => cost !== undefined)),
  };
}

/** A sum with a hole in it is no sum. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce((whole, one) => (whole === null || one === null ? null : whole + one), 0);
}
