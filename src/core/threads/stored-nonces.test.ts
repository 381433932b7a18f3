import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables } from '../../../test/support/memory-tables.ts';
import { CLOCK_DIFFERENCE_MS, createNonceStore, NONCES } from './stored-nonces.ts';

/** Often the very moment that counts. */
const halves = (min: number, max: number) =>
  fc.integer({ min, max }).map((times) => (times * CLOCK_DIFFERENCE_MS) / 2);

const step = fc.record({
  value: fc.constantFrom('a', 'b\0', '\ud800', ''),
  leftMs: halves(-3, 4),
  passedMs: fc.oneof(halves(0, 6), fc.nat(3 * CLOCK_DIFFERENCE_MS)),
});

test('a nonce is good once until its token is refused by every clock, and then again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { clock, ...tables } = createMemoryTables();
      const store = createNonceStore(tables);
      const freeAtMs = new Map<string, number>();
      for (const { value, leftMs, passedMs } of steps) {
        clock.advance(passedMs);
        const expiresAtMs = clock.nowMs() + leftMs;

        const isNew = await store.use({ value, expiresAtMs });

        expect(isNew).toBe(clock.nowMs() >= (freeAtMs.get(value) ?? 0));
        if (isNew) freeAtMs.set(value, expiresAtMs + CLOCK_DIFFERENCE_MS);
      }
    }),
  );
});

test('a use removes what has expired, oldest first and few of it, and nothing else', async () => {
  const ages = fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(ages, async (agesMs) => {
      const { clock, ...tables } = createMemoryTables();
      const goneAtMs = clock.nowMs() - CLOCK_DIFFERENCE_MS;
      const seeds = agesMs.map((ageMs, no) => ({ key: `${no}`, expiresAtMs: goneAtMs - ageMs }));
      tables.seed(NONCES, seeds);

      await createNonceStore(tables).use({ value: 'new', expiresAtMs: clock.nowMs() });

      const left = tables.rows(NONCES).slice(0, -1);
      const past = seeds.filter(({ expiresAtMs }) => expiresAtMs <= goneAtMs);
      const gone = past.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs).slice(0, 4);
      expect(left).toEqual(seeds.filter((seed) => !gone.includes(seed)));
    }),
  );
});

test('what is stored of a nonce is not the nonce', async () => {
  const tables = createMemoryTables();

  await createNonceStore(tables).use({ value: 'once-only', expiresAtMs: 1e13 });

  expect(JSON.stringify(tables.rows(NONCES))).not.toContain('once-only');
});
