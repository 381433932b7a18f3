import { describe, expect, test } from 'vitest';
import type { BreakerState } from '../../src/core/reliability/breakers/breaker.ts';
import type { BreakerStore } from '../../src/core/reliability/breakers/breaker-store.ts';

interface OpenedBreakers {
  readonly store: BreakerStore;
  /** The same circuits, as another process sees them. */
  openBeside(): Promise<BreakerStore>;
}

/** An empty store that is closed when the test ends. */
export type OpenBreakers = () => Promise<OpenedBreakers>;

const open = (retryAtMs: number): BreakerState => ({ status: 'open', epoch: 1, retryAtMs });

const STATES: readonly BreakerState[] = [
  {
    status: 'closed',
    epoch: 4,
    failures: 2,
    window: { size: 33, count: 33, failed: 2, next: 5, bits: [-2147483648, 1] },
  },
  open(1_800_000_000_123),
  {
    status: 'half_open',
    epoch: 5,
    issued: 2,
    successes: 1,
    trials: [{ id: 2, expiresAtMs: 1_800_000_000_456 }],
  },
  { status: 'forced_open', epoch: 6 },
];

export function describeBreakerStore(engine: string, openStore: OpenBreakers): void {
  describe(`BreakerStore on ${engine}`, () => {
    test('is empty at first', async () => {
      const { store } = await openStore();

      expect(await store.find('http.request')).toBeUndefined();
      expect(await store.list({ limit: 10 })).toEqual([]);
    });

    test.each(STATES)('keeps the state $status for every process', async (state) => {
      const { store, openBeside } = await openStore();
      const beside = await openBeside();

      const result = await store.replace('http.request', 0, state);

      expect(result).toEqual({ outcome: 'written', version: 1 });
      expect(await beside.find('http.request')).toEqual({ key: 'http.request', version: 1, state });
    });

    test('writes only over the version that was read', async () => {
      const { store } = await openStore();
      await store.replace('a', 0, open(1));
      await store.replace('a', 1, open(2));
      const record = { key: 'a', version: 2, state: open(2) };

      expect(await store.replace('a', 0, open(3))).toEqual({ outcome: 'stale', record });
      expect(await store.replace('a', 1, open(3))).toEqual({ outcome: 'stale', record });
      expect(await store.replace('a', 3, open(3))).toEqual({ outcome: 'stale', record });
      expect(await store.replace('b', 1, open(3))).toEqual({
        outcome: 'stale',
        record: undefined,
      });
      expect(await store.find('a')).toEqual(record);
      expect(await store.find('b')).toBeUndefined();
    });

    test('lets one of many writers win each version', async () => {
      const { store, openBeside } = await openStore();
      const beside = await openBeside();

      for (let version = 0; version < 5; version += 1) {
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 === 0 ? store : beside).replace('a', version, open(index)),
          ),
        );

        expect(results.filter(({ outcome }) => outcome === 'written')).toEqual([
          { outcome: 'written', version: version + 1 },
        ]);
      }
      expect((await store.find('a'))?.version).toBe(5);
    });

    test('lists in the order of keys, page by page, whatever they hold', async () => {
      const { store } = await openStore();
      const keys = ['*', 'a', 'a\0', 'a\0b', 'a\u0001', 'a b', 'a:b', 'é', '\u{1f980}'];
      for (const [index, key] of [...keys].reverse().entries()) {
        await store.replace(key, 0, open(index));
      }
      const pages: string[][] = [];

      for (let after = ''; pages.at(-1)?.length !== 0; after = pages.at(-1)?.at(-1) ?? '') {
        pages.push((await store.list({ limit: 4, after })).map(({ key }) => key));
        if (pages.length > keys.length) break;
      }

      expect(pages.flat()).toEqual([...keys].sort());
      expect(pages.map((page) => page.length)).toEqual([4, 4, 1, 0]);
    });
  });
}
