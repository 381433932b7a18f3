import { createReadSummary } from '../../../core/observability/summary.ts';
import type { SummaryReading } from '../../../operations/observability/observability.ts';
import { askAt } from './ask-runtime.ts';
import { fromStore } from './place.ts';

const fromCounts = fromStore((store, { clock }): SummaryReading => {
  return { readSummary: createReadSummary({ store: store?.counts ?? NO_COUNTS, clock }) };
});

/** A state root that was never used. */
const NO_COUNTS = { sum: async () => [] };

export const askObservability = askAt({ read: fromCounts, write: fromCounts });
