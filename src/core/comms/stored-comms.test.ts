import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { NewDeliveryEvent, Suppression } from './comms-store.ts';
import { DELIVERY_STATES } from './delivery-event.ts';
import { digestRecipient } from './recipient.ts';
import {
  createCommsStore,
  DELIVERY_EVENTS,
  NEWEST_SUPPRESSIONS,
  SUPPRESSIONS,
} from './stored-comms.ts';

const STUBS = [
  stubQuery(NEWEST_SUPPRESSIONS, ({ limit }, { rows }) =>
    rows(SUPPRESSIONS).toReversed().slice(0, limit),
  ),
];
const RECIPIENTS = ['ada@example.com', 'bo@example.com'];

const event: fc.Arbitrary<NewDeliveryEvent> = fc.record({
  provider: fc.constantFrom('p', 'q'),
  eventId: fc.constantFrom('1', '2', '3', '4\0'),
  digest: fc.constantFrom('same', 'same', 'other'),
  state: fc.constantFrom(...DELIVERY_STATES),
  recipientDigest: fc.option(fc.constantFrom(...RECIPIENTS).map(digestRecipient), {
    nil: undefined,
  }),
  messageId: fc.constant(undefined),
  integrationId: fc.constant('mail.primary'),
  occurredAtMs: fc.constant(undefined),
  reason: fc.constantFrom(undefined, 'full'),
  payload: fc.constant('{}'),
});
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ event }) },
    { weight: 1, arbitrary: fc.record({ lifted: fc.constantFrom(...RECIPIENTS) }) },
  ),
  { maxLength: 25 },
);

function openStore() {
  const tables = createMemoryTables(STUBS);
  return { store: createCommsStore(tables), tables };
}

test('an event counts once, and another one under its name is a conflict', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const { store, tables } = openStore();
      const first = new Map<string, NewDeliveryEvent & { receivedAtMs: number }>();
      for (const one of events) {
        tables.clock.advance(1);
        const name = `${one.provider} ${one.eventId}`;
        const known = first.get(name);
        const suppressed = tables.rows(SUPPRESSIONS);

        const outcome = await store.ingest(one);

        if (known) {
          expect(outcome).toBe(known.digest === one.digest ? 'replayed' : 'conflict');
          expect(tables.rows(SUPPRESSIONS)).toEqual(suppressed);
        } else {
          expect(outcome).toBe('accepted');
          first.set(name, { ...one, receivedAtMs: tables.clock.nowMs() });
        }
        expect(tables.rows(DELIVERY_EVENTS)).toEqual([...first.values()]);
      }
    }),
  );
});

test('the first word on a recipient stays until it is lifted', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { store, tables } = openStore();
      const words = new Map<string, Suppression>();
      for (const step of given) {
        tables.clock.advance(1);
        if ('lifted' in step) {
          const wasSuppressed = await store.liftSuppression(step.lifted);
          expect(wasSuppressed).toBe(words.delete(digestRecipient(step.lifted)));
        } else {
          const { provider, eventId, state, recipientDigest } = step.event;
          const outcome = await store.ingest(step.event);
          if (outcome !== 'accepted' || recipientDigest === undefined) continue;
          if (state === 'delivered' || words.has(recipientDigest)) continue;
          const atMs = tables.clock.nowMs();
          words.set(recipientDigest, { recipientDigest, state, provider, eventId, atMs });
        }

        expect(await store.listSuppressions(10)).toEqual([...words.values()].reverse());
        for (const recipient of RECIPIENTS)
          expect(await store.isSuppressed(recipient)).toBe(words.has(digestRecipient(recipient)));
      }
    }),
  );
});

const KEEP_MS = 90 * 24 * 60 * 60 * 1000;

test('events go after their time, a hundred with each new one, oldest first', async () => {
  const { store, tables } = openStore();
  const [one] = fc.sample(event, 1) as [NewDeliveryEvent];
  const nowMs = tables.clock.nowMs();
  const old = Array.from({ length: 160 }, (_, no) => ({
    ...one,
    eventId: `old_${no}`,
    receivedAtMs: nowMs - KEEP_MS - 150 + no,
  }));
  tables.seed(DELIVERY_EVENTS, old);
  const left = () =>
    tables.rows(DELIVERY_EVENTS).filter(({ eventId }) => eventId.startsWith('old'));

  await store.ingest({ ...one, eventId: 'a' });
  expect(left()).toEqual(old.slice(100));

  await store.ingest({ ...one, eventId: 'b' });
  expect(left()).toEqual(old.slice(150));
});
