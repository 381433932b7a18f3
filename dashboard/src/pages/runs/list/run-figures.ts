import type { RunSummary } from '../../../../../src/operations/runs/run-shapes.ts';

/** In and out. Null: one of them is not known, and half a sum is none. */
export function tokensOf({ usage }: Pick<RunSummary, 'usage'>): number | null {
  const { input_tokens: input, output_tokens: output } = usage;
  return input === null || output === null ? null : input + output;
}
