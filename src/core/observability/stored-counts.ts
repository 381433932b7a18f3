import { expire, put } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { defineWrite } from '../store/write.ts';
import { type Count, type CountStore, KEPT_MS, MINUTE_MS, type MinuteCount } from './counts.ts';

export const COUNTS = collection<MinuteCount>()('counts', 'minuteMs', 'node', 'kind', 'key');
export const COUNTS_SINCE = query<{ minuteMs: number }, Count>('counts_since');

/** More than a minute of one process has: what is past gets fewer, and no save takes long. */
const MAX_EXPIRED_BY_SAVE = 64;

const save = defineWrite({
  name: 'counts.save',
  // A process saves one after the other, and only what is its own.
  locks: (counts: readonly MinuteCount[]) => [`counts ${counts[0]?.node ?? ''}`],
  needs: () => ({}),
  decide: (_found, counts, nowMs) => ({
    value: undefined,
    changes: [
      ...counts.map((count) => put(COUNTS, count)),
      expire(COUNTS, {
        by: 'minuteMs',
        untilMs: nowMs - KEPT_MS - MINUTE_MS,
        max: MAX_EXPIRED_BY_SAVE,
      }),
    ],
  }),
});

export const COUNT_WRITES = { save };

export function createCountStore({ load, write }: Tables): CountStore {
  return {
    save: (counts) => write(save, counts),
    sum: (sinceMs) => load(ask(COUNTS_SINCE, { minuteMs: sinceMs - MINUTE_MS })),
  };
}
