import { clampLimit } from '../../clamp-limit.ts';
import { put } from '../../store/change.ts';
import { collection } from '../../store/collection.ts';
import { find, list } from '../../store/need.ts';
import type { Tables } from '../../store/tables.ts';
import { answer, type Decided, defineWrite } from '../../store/write.ts';
import type { BreakerState } from './breaker.ts';
import type { BreakerRecord, BreakerStore, ReplaceResult } from './breaker-store.ts';
import { readBreakerState } from './parse-breaker-state.ts';

interface BreakerRow {
  readonly key: string;
  readonly version: number;
  readonly state: object;
}

export const BREAKERS = collection<BreakerRow>()('breakers', 'key');

/** There is one for each tool. */
export const MAX_PAGE_BREAKERS = 1_000;

interface Replacement {
  readonly key: string;
  readonly expectedVersion: number;
  readonly state: BreakerState;
}

const replace = defineWrite({
  name: 'breakers.replace',
  locks: ({ key }: Replacement) => [`breaker ${key}`],
  needs: ({ key }) => ({ known: find(BREAKERS, { key }) }),
  decide({ known }, { key, expectedVersion, state }): Decided<ReplaceResult> {
    if ((known?.version ?? 0) !== expectedVersion) {
      return answer({ outcome: 'stale', record: known && toRecord(known) });
    }
    const version = expectedVersion + 1;
    return {
      value: { outcome: 'written', version },
      changes: [put(BREAKERS, { key, version, state })],
    };
  },
});

export const BREAKER_WRITES = { replace };

export function createBreakerStore({ load, write }: Tables): BreakerStore {
  return {
    async find(key) {
      const row = await load(find(BREAKERS, { key }));
      return row && toRecord(row);
    },

    async list({ limit, after }) {
      const size = clampLimit(limit, MAX_PAGE_BREAKERS);
      return (await load(list(BREAKERS, { after, limit: size }))).map(toRecord);
    },

    replace: (key, expectedVersion, state) => write(replace, { key, expectedVersion, state }),
  };
}

function toRecord({ key, version, state }: BreakerRow): BreakerRecord {
  return { key, version, state: readBreakerState(state) };
}
