import { describe, expect, test } from 'vitest';
import type { NewDeliveryEvent } from '../../src/core/comms/comms-store.ts';
import { digestRecipient } from '../../src/core/comms/recipient.ts';
import { type OpenStorage, openRig } from './harness.ts';

const ODD = 'a\u0000b 🦀 \ud800 "c"';
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;
const ADA = 'ada@example.com';

function bounced(overrides: Partial<NewDeliveryEvent> = {}): NewDeliveryEvent {
  return {
    provider: 'resend',
    eventId: 'evt_1',
    digest: 'digest-1',
    state: 'bounced',
    messageId: 'email_1',
    integrationId: 'resend.primary',
    recipientDigest: digestRecipient(ADA),
    occurredAtMs: 1_000,
    reason: 'mailbox full',
    payload: '{"rawType":"email.bounced"}',
    ...overrides,
  };
}

/** Everything the CommsStore port promises. */
export function describeCommsStore(engine: string, open: OpenStorage): void {
  describeDeliveries(engine, open);
  describeSuppressions(engine, open);
}

function describeDeliveries(engine: string, open: OpenStorage): void {
  describe(`CommsStore.ingest on ${engine}`, () => {
    test('accepts an event once, replays the same and refuses another, over a reopen', async () => {
      const { storage, reopen } = await openRig(open);
      const first = await storage.comms.ingest(bounced());
      const { comms } = await reopen();

      const same = await comms.ingest(bounced());
      const other = await comms.ingest(bounced({ digest: 'digest-2' }));
      const again = await comms.ingest(bounced());

      expect([first, same, other, again]).toEqual(['accepted', 'replayed', 'conflict', 'replayed']);
    });

    test('tells events of two providers and any spelling apart', async () => {
      const { comms } = (await openRig(open)).storage;
      const events = [
        bounced(),
        bounced({ provider: 'ses' }),
        bounced({ eventId: 'EVT_1' }),
        bounced({ eventId: ODD, provider: ODD, messageId: ODD, integrationId: ODD, reason: ODD }),
        bounced({ eventId: 'evt_2', payload: JSON.stringify({ text: ODD }) }),
        bounced({
          eventId: 'evt_3',
          messageId: undefined,
          integrationId: undefined,
          recipientDigest: undefined,
          occurredAtMs: undefined,
          reason: undefined,
        }),
      ];

      const outcomes = [];
      for (const event of [...events, ...events]) outcomes.push(await comms.ingest(event));

      expect(outcomes).toEqual([...events.map(() => 'accepted'), ...events.map(() => 'replayed')]);
    });

    test('accepts one of many equal events that come at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const outcomes = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).comms.ingest(bounced()),
        ),
      );

      expect(outcomes.toSorted()).toEqual([
        'accepted',
        ...Array.from({ length: 63 }, () => 'replayed'),
      ]);
    });

    test('forgets events that are 90 days old, and keeps what they suppressed', async () => {
      const { storage, clock } = await openRig(open);
      const { comms } = storage;
      await comms.ingest(bounced());

      clock.advance(KEPT_MS);
      await comms.ingest(bounced({ eventId: 'evt_2' }));
      const onTheDay = await comms.ingest(bounced());
      clock.advance(1);
      await comms.ingest(bounced({ eventId: 'evt_3' }));
      const after = await comms.ingest(bounced());

      expect([onTheDay, after]).toEqual(['replayed', 'accepted']);
      expect(await comms.isSuppressed(ADA)).toBe(true);
    });
  });
}

function describeSuppressions(engine: string, open: OpenStorage): void {
  describe(`Suppressed recipients on ${engine}`, () => {
    test.each(['bounced', 'complained', 'unsubscribed'] as const)(
      'are those that %s, however their address is written',
      async (state) => {
        const { storage, reopen } = await openRig(open);
        await storage.comms.ingest(bounced({ state }));
        const { comms } = await reopen();

        const suppressed = await Promise.all(
          [ADA, ' ADA@Example.com ', 'Ada <ada@example.com>', 'ida@example.com', ''].map((one) =>
            comms.isSuppressed(one),
          ),
        );

        expect(suppressed).toEqual([true, true, true, false, false]);
      },
    );

    test('are not those that a message was delivered to, nor of an event that names nobody', async () => {
      const { comms } = (await openRig(open)).storage;

      await comms.ingest(bounced({ state: 'delivered' }));
      await comms.ingest(bounced({ eventId: 'evt_2', recipientDigest: undefined }));

      expect(await comms.isSuppressed(ADA)).toBe(false);
      expect(await comms.listSuppressions(10)).toEqual([]);
    });

    test('are not changed by an event that is refused', async () => {
      const { comms } = (await openRig(open)).storage;
      await comms.ingest(bounced({ state: 'delivered' }));

      const outcome = await comms.ingest(bounced({ digest: 'digest-2' }));

      expect(outcome).toBe('conflict');
      expect(await comms.isSuppressed(ADA)).toBe(false);
    });

    test('are listed newest first with the event that began it', async () => {
      const { storage, clock } = await openRig(open);
      const { comms } = storage;
      const ida = digestRecipient('ida@example.com');
      await comms.ingest(bounced());
      clock.advance(1_000);
      await comms.ingest(bounced({ eventId: 'evt_2', state: 'complained' }));
      await comms.ingest(bounced({ eventId: 'evt_3', recipientDigest: ida }));

      const all = await comms.listSuppressions(10);
      const one = await comms.listSuppressions(1);

      const newest = {
        recipientDigest: ida,
        state: 'bounced',
        provider: 'resend',
        eventId: 'evt_3',
        atMs: clock.nowMs(),
      };
      const oldest = {
        recipientDigest: digestRecipient(ADA),
        state: 'bounced',
        provider: 'resend',
        eventId: 'evt_1',
        atMs: clock.nowMs() - 1_000,
      };
      expect(all).toEqual([newest, oldest]);
      expect(one).toEqual([newest]);
      expect(await comms.listSuppressions(-1)).toEqual([]);
    });

    test('can be lifted once, and a replay does not bring them back', async () => {
      const { comms } = (await openRig(open)).storage;
      await comms.ingest(bounced());

      const lifted = await comms.liftSuppression(' Ada@example.com');
      const again = await comms.liftSuppression(ADA);
      await comms.ingest(bounced());
      const afterReplay = await comms.isSuppressed(ADA);
      await comms.ingest(bounced({ eventId: 'evt_2' }));

      expect([lifted, again, afterReplay]).toEqual([true, false, false]);
      expect(await comms.isSuppressed(ADA)).toBe(true);
    });
  });
}
