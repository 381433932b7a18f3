import { parseUsd } from '../../costs/money.ts';
import type { Usage } from '../model.ts';

/** US dollars per million tokens, as providers publish them. */
export interface ModelPrice {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
  /** Input the provider read from its cache; without it such tokens cost as any input. */
  readonly cachedInputPerMillionUsd?: number;
}

export interface PriceTable {
  /** What one answer cost, unrounded; null when the price or the usage is not known. */
  costUsd(reference: string, usage: Usage): number | null;
  /** Picodollars per million tokens, the dearer of what goes in; undefined when it is not known. */
  perMillion(reference: string): { readonly in: bigint; readonly out: bigint } | undefined;
}

const MILLION = 1_000_000;

/** Prices by full model reference (`openai/gpt-5.4-mini`). A model that is not listed has no price: none is guessed. */
export function createPriceTable(entries: Readonly<Record<string, ModelPrice>>): PriceTable {
  const prices = new Map(Object.entries(entries));

  return {
    costUsd(reference, usage) {
      const price = prices.get(reference);
      if (price === undefined) return usage.costUsd ?? null;
      if (isFree(price)) return 0;
      // No request has zero tokens: a server that reports none has not measured, and its answer was not free.
      const { inputTokens, outputTokens } = usage;
      if (inputTokens === null || outputTokens === null) return null;
      if (inputTokens === 0 && outputTokens === 0) return null;
      const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
      const cachedPrice = price.cachedInputPerMillionUsd ?? price.inputPerMillionUsd;
      // Divided once, at the end: prices times counts stay exact where dividing first would round each term.
      return (
        ((inputTokens - cached) * price.inputPerMillionUsd +
          cached * cachedPrice +
          outputTokens * price.outputPerMillionUsd) /
        MILLION
      );
    },

    perMillion(reference) {
      const price = prices.get(reference);
      if (price === undefined) return undefined;
      const { inputPerMillionUsd: fresh, cachedInputPerMillionUsd: cached = fresh } = price;
      return {
        in: toPico(Math.max(fresh, cached)),
        out: toPico(price.outputPerMillionUsd),
      };
    },
  };
}

/** A price with more decimals than money has counts as the next one that has not. */
function toPico(usd: number): bigint {
  try {
    return parseUsd(usd, 'price');
  } catch {
    return parseUsd(usd.toFixed(12), 'price') + 1n;
  }
}

function isFree(price: ModelPrice): boolean {
  return price.inputPerMillionUsd === 0 && price.outputPerMillionUsd === 0;
}
