import { clampLimit } from '../clamp-limit.ts';
import { expire, put, remove } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, find } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import type { CommsStore, IngestOutcome, NewDeliveryEvent, Suppression } from './comms-store.ts';
import { isSuppressing } from './delivery-event.ts';
import { digestRecipient } from './recipient.ts';

interface DeliveryRow extends NewDeliveryEvent {
  readonly receivedAtMs: number;
}

export const DELIVERY_EVENTS = collection<DeliveryRow>()('delivery_events', 'provider', 'eventId');
export const SUPPRESSIONS = collection<Suppression>()('suppressions', 'recipientDigest');
export const NEWEST_SUPPRESSIONS = query<{ limit: number }, Suppression>('newest_suppressions');

const DAY_MS = 24 * 60 * 60 * 1000;

/** A provider repeats an event for days; after this time it is forgotten, and a repetition would count as new. */
const KEEP_DELIVERY_EVENTS_MS = 90 * DAY_MS;
/** In one go, so that no event waits for a year's worth of them. */
const MAX_EXPIRED_EVENTS = 100;
/** A page is read in one go. */
const MAX_PAGE_SUPPRESSIONS = 500;

const lockOf = (recipientDigest: string) => `suppression ${recipientDigest}`;

/** Whom the event says not to write to any more. */
function findSuppressed({ recipientDigest, state }: NewDeliveryEvent): string | undefined {
  return isSuppressing(state) ? recipientDigest : undefined;
}

const ingest = defineWrite({
  name: 'comms.ingest',
  locks(event: NewDeliveryEvent) {
    const { provider, eventId } = event;
    const suppressed = findSuppressed(event);
    return [
      `delivery_event ${JSON.stringify([provider, eventId])}`,
      ...(suppressed === undefined ? [] : [lockOf(suppressed)]),
    ];
  },
  needs: ({ provider, eventId, recipientDigest = '' }) => ({
    known: find(DELIVERY_EVENTS, { provider, eventId }),
    suppression: find(SUPPRESSIONS, { recipientDigest }),
  }),
  decide({ known, suppression }, event, nowMs): Decided<IngestOutcome> {
    if (known) return answer(known.digest === event.digest ? 'replayed' : 'conflict');
    const { state, provider, eventId } = event;
    const untilMs = nowMs - KEEP_DELIVERY_EVENTS_MS - 1;
    const changes = [
      put(DELIVERY_EVENTS, { ...event, receivedAtMs: nowMs }),
      expire(DELIVERY_EVENTS, { by: 'receivedAtMs', untilMs, max: MAX_EXPIRED_EVENTS }),
    ];
    // What was said first about a recipient stays.
    const recipientDigest = findSuppressed(event);
    if (recipientDigest !== undefined && !suppression) {
      changes.push(put(SUPPRESSIONS, { recipientDigest, state, provider, eventId, atMs: nowMs }));
    }
    return { value: 'accepted', changes };
  },
});

const lift = defineWrite({
  name: 'comms.lift',
  locks: (recipientDigest: string) => [lockOf(recipientDigest)],
  needs: (recipientDigest) => ({ known: find(SUPPRESSIONS, { recipientDigest }) }),
  decide: ({ known }, recipientDigest) =>
    known ? { value: true, changes: [remove(SUPPRESSIONS, { recipientDigest })] } : answer(false),
});

export const COMMS_WRITES = { ingest, lift };

export function createCommsStore({ load, write }: Tables): CommsStore {
  return {
    ingest: (event) => write(ingest, event),

    async isSuppressed(recipient) {
      const recipientDigest = digestRecipient(recipient);
      return (await load(find(SUPPRESSIONS, { recipientDigest }))) !== undefined;
    },

    async listSuppressions(limit) {
      const size = clampLimit(limit, MAX_PAGE_SUPPRESSIONS);
      return load(ask(NEWEST_SUPPRESSIONS, { limit: size }));
    },

    liftSuppression: (recipient) => write(lift, digestRecipient(recipient)),
  };
}
