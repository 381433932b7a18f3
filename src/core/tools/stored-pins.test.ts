import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables } from '../../../test/support/memory-tables.ts';
import { createToolPinStore } from './stored-pins.ts';
import type { ToolPin } from './tool-pin.ts';

const SERVERS = ['files', 'mail\0', 'files b'];

const pin: fc.Arbitrary<ToolPin> = fc
  .record({
    server: fc.constantFrom(...SERVERS),
    tool: fc.constantFrom('read', 'read\0', 'send'),
    seenHash: fc.constantFrom('one', 'two'),
    seenAtMs: fc.nat(),
    approval: fc.option(fc.record({ approvedHash: fc.string(), approvedAtMs: fc.nat() })),
  })
  .map(({ approval, ...seen }) => ({
    ...seen,
    seen: { description: 'd', inputSchema: { type: 'object' }, annotations: {} },
    ...approval,
  }));

const nameOf = ({ server, tool }: ToolPin) => JSON.stringify([server, tool]);

test('of several pins for one tool the last counts whole, also within one call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(pin, { maxLength: 5 }), { maxLength: 6 }), async (calls) => {
      const store = createToolPinStore(createMemoryTables());
      for (const pins of calls) await store.put(pins);

      const all = await store.list();

      const last = new Map(calls.flat().map((one) => [nameOf(one), one]));
      expect(new Map(all.map((one) => [nameOf(one), one]))).toStrictEqual(last);
      expect(all.length).toBe(last.size);
      for (const [, one] of last) expect(await store.find(one.server, one.tool)).toStrictEqual(one);
    }),
  );
});

test('a list is sorted by server and tool, and one of a server has nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pin), async (pins) => {
      const store = createToolPinStore(createMemoryTables());
      await store.put(pins);

      const names = (await store.list()).map(({ server, tool }) => [server, tool]);
      const each = await Promise.all(SERVERS.toSorted().map((server) => store.list(server)));

      const known = new Set(pins.map(nameOf));
      const order = SERVERS.toSorted().flatMap((server) =>
        ['read', 'read\0', 'send'].map((tool) => [server, tool]),
      );
      expect(names).toEqual(order.filter((name) => known.has(JSON.stringify(name))));
      expect(each.flat()).toEqual(await store.list());
    }),
  );
});
