import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables } from '../../../../test/support/memory-tables.ts';
import type { BreakerState } from './breaker.ts';
import type { BreakerRecord } from './breaker-store.ts';
import { createBreakerStore } from './stored-breakers.ts';

const step = fc.record({
  process: fc.nat(2),
  key: fc.constantFrom('http', 'shell\0'),
  does: fc.constantFrom('read', 'count'),
  /** Of a version that nobody has written yet. */
  ahead: fc.constantFrom(0, 0, 0, 100),
});

const withEpoch = (epoch: number): BreakerState => ({ status: 'forced_open', epoch });

test('processes that count together lose no count, and versions go up by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = createBreakerStore(createMemoryTables());
      const known = new Map<string, BreakerRecord | undefined>();
      const counted = new Map<string, number>();
      for (const { process, key, does, ahead } of steps) {
        const place = `${process} ${key}`;
        const record = known.get(place);
        if (does === 'read') {
          known.set(place, await store.find(key));
          continue;
        }
        const epoch = (record?.state.epoch ?? 0) + 1;
        const expected = (record?.version ?? 0) + ahead;

        const result = await store.replace(key, expected, withEpoch(epoch));

        const writes = counted.get(key) ?? 0;
        const isFresh = expected === writes;
        expect(result).toEqual(
          isFresh
            ? { outcome: 'written', version: writes + 1 }
            : { outcome: 'stale', record: await store.find(key) },
        );
        if (isFresh) counted.set(key, writes + 1);
        known.set(place, result.outcome === 'stale' ? result.record : await store.find(key));
      }
      for (const [key, writes] of counted)
        expect(await store.find(key)).toEqual({ key, version: writes, state: withEpoch(writes) });
    }),
  );
});

test('pages hold every circuit once, in the order of their keys', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string(), { minLength: 1 }),
      fc.integer({ min: 1, max: 4 }),
      async (keys, limit) => {
        const store = createBreakerStore(createMemoryTables());
        for (const key of keys) await store.replace(key, 0, withEpoch(1));

        const listed = [...(await store.list({ limit }))];
        for (let page = listed; page.length > 0; ) {
          page = [...(await store.list({ limit, after: page.at(-1)?.key ?? '' }))];
          expect(page.length).toBeLessThanOrEqual(limit);
          listed.push(...page);
        }

        expect(listed.map(({ key }) => key)).toEqual(keys.toSorted());
      },
    ),
  );
});
