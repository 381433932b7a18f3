import type { BreakerState } from '../core/reliability/breaker.ts';
import type { BreakerRecord } from '../core/reliability/breaker-store.ts';
import { parseBreakerState } from '../core/reliability/parse-breaker-state.ts';

/**
 * A stored state that can't be read counts as closed and untried: it says nothing about the service, and its version
 * still lets it be replaced. The window is replaced by one of the configured size with the first call.
 */
const UNTRIED: BreakerState = {
  status: 'closed',
  epoch: 0,
  failures: 0,
  window: { size: 1, count: 0, failed: 0, next: 0, bits: [0] },
};

export function decodeBreaker(key: string, version: number, json: string): BreakerRecord {
  return { key, version, state: parseBreakerState(parseJson(json)) ?? UNTRIED };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** There is one for each tool. */
export const MAX_PAGE_BREAKERS = 1_000;
