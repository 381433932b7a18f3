import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import { PROJECTIONS } from './projection.ts';
import type { Checkpoint } from './projection-store.ts';
import { createProjectionStore, PROJECTION_WRITER, WRITER_HEALTH } from './stored-projections.ts';

const STUBS = [
  stubQuery(WRITER_HEALTH, (_, { rows, nowMs }) =>
    rows(PROJECTION_WRITER).map(({ no: _no, expiresAtMs, ...row }) => ({
      ...row,
      isHeld: expiresAtMs > nowMs,
    })),
  ),
];

/** As the migrations leave it. */
const NOBODY = {
  no: 1,
  owner: '',
  expiresAtMs: 0,
  failures: 0,
  error: undefined,
  failedAtMs: undefined,
};

function openStore({ isSeeded = true } = {}) {
  const tables = createMemoryTables(STUBS);
  if (isSeeded) tables.seed(PROJECTION_WRITER, [NOBODY]);
  return { store: createProjectionStore(tables), clock: tables.clock };
}

const CHECKPOINT = { version: 'v', summaryHash: 'h', projectedAtMs: 1, isOpen: true, state: {} };

test('writers of one checkpoint lose no step of each other, and revisions go up by one', async () => {
  const step = fc.record({
    process: fc.nat(2),
    projection: fc.constantFrom(...PROJECTIONS),
    id: fc.constantFrom('one', 'two'),
    does: fc.constantFrom('read', 'put'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { store } = openStore();
      const known = new Map<string, Checkpoint | undefined>();
      const written = new Map<string, number>();
      for (const { process, does, ...entity } of steps) {
        const name = JSON.stringify(entity);
        const place = `${process} ${name}`;
        if (does === 'read') {
          known.set(place, await store.find(entity));
          continue;
        }
        const { revision = 0, seq = 0 } = known.get(place) ?? {};
        const writes = written.get(name) ?? 0;

        const isWritten = await store.put({ ...CHECKPOINT, ...entity, seq: seq + 1 }, revision);

        expect(isWritten).toBe(revision === writes);
        if (isWritten) written.set(name, writes + 1);
        // A step that is counted twice or not at all shows in the sum.
        expect((await store.find(entity))?.seq).toBe(written.get(name));
        expect((await store.find(entity))?.revision).toBe(written.get(name));
      }
    }),
  );
});

const leaseStep = fc.record({
  owner: fc.constantFrom('node-a', 'node-b', 'node-c'),
  does: fc.constantFrom('hold', 'hold', 'release', 'report'),
  leaseMs: fc.integer({ min: 1, max: 20 }),
  passedMs: fc.nat(15),
});

test.each([true, false])(
  'one owner at a time writes to the sink (row there: %s)',
  async (isSeeded) => {
    await fc.assert(
      fc.asyncProperty(fc.array(leaseStep, { maxLength: 40 }), async (steps) => {
        const { store, clock } = openStore({ isSeeded });
        let held: { owner: string; untilMs: number } | undefined;
        for (const { owner, does, leaseMs, passedMs } of steps) {
          clock.advance(passedMs);
          if (held && held.untilMs <= clock.nowMs()) held = undefined;
          if (does === 'hold') {
            const isHeld = await store.holdWriter(owner, leaseMs);
            expect(isHeld).toBe(!held || held.owner === owner);
            if (isHeld) held = { owner, untilMs: clock.nowMs() + leaseMs };
          } else if (does === 'release') {
            await store.releaseWriter(owner);
            if (held?.owner === owner) held = undefined;
          } else await store.reportHealth({ failures: 0, error: undefined });

          expect((await store.readHealth()).writer).toBe(held?.owner);
        }
      }),
    );
  },
);

test('a failure is told with its time, which stays when writing goes well again', async () => {
  const { store, clock } = openStore();
  const failedAtMs = clock.nowMs();

  await store.reportHealth({ failures: 2, error: 'no route' });
  clock.advance(5);
  const failing = await store.readHealth();
  await store.reportHealth({ failures: 0, error: undefined });

  expect(failing).toMatchObject({ failures: 2, error: 'no route', failedAtMs });
  expect(await store.readHealth()).toMatchObject({ failures: 0, error: undefined, failedAtMs });
});
