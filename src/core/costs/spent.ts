import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { fromLoggedUsd } from './money.ts';

/** What a run has spent on models by its log. What a provider did not tell is a gap, not nothing. */
export interface Spent {
  /** Questions to models that came to an end, of whatever kind. */
  readonly attempts: number;
  /** How many of them have unknown tokens, and an unknown cost. */
  readonly tokenGaps: number;
  readonly costGaps: number;
  /** Of the others, in picodollars. */
  readonly pico: bigint;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export const NOTHING_SPENT: Spent = {
  attempts: 0,
  tokenGaps: 0,
  costGaps: 0,
  pico: 0n,
  tokensIn: 0,
  tokensOut: 0,
};

/** With the payload of `model.completed` or `model.failed`. */
export function addAttempt(spent: Spent, payload: JsonObject): Spent {
  const usage = isJsonObject(payload['usage']) ? payload['usage'] : {};
  const { input_tokens: input, output_tokens: output } = usage;
  const { cost_usd: cost } = payload;
  const isCounted = isCount(input) && isCount(output);
  const isPriced = isCount(cost);
  return {
    attempts: spent.attempts + 1,
    tokenGaps: spent.tokenGaps + (isCounted ? 0 : 1),
    costGaps: spent.costGaps + (isPriced ? 0 : 1),
    pico: spent.pico + (isPriced ? fromLoggedUsd(cost) : 0n),
    tokensIn: spent.tokensIn + (isCounted ? Math.ceil(input) : 0),
    tokensOut: spent.tokensOut + (isCounted ? Math.ceil(output) : 0),
  };
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 0;
}

/** By the events of a whole log. */
export function spentBy(
  events: readonly { readonly type: string; readonly payload: JsonObject }[],
): Spent {
  return events.reduce(
    (spent, { type, payload }) =>
      type === 'model.completed' || type === 'model.failed' ? addAttempt(spent, payload) : spent,
    NOTHING_SPENT,
  );
}
