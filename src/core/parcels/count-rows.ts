import { tooLarge } from './parcel-faults.ts';
import { type Counted, type Counts, MAX_COUNTS, NO_COUNTS } from './parcel-format.ts';

export interface Counter {
  /** Throws `payload_too_large` when there are too many. */
  count(what: Counted): void;
  counts(): Counts;
}

export function createCounter(): Counter {
  const counts: Record<Counted, number> = { ...NO_COUNTS };
  return {
    count(what) {
      counts[what] += 1;
      if (counts[what] > MAX_COUNTS[what]) {
        throw tooLarge(`${MAX_COUNTS[what]} ${what.replace('_', ' ')}`);
      }
    },
    counts: () => ({ ...counts }),
  };
}
