import type { IngestOutcome, NewDeliveryEvent } from '../../core/comms/comms-store.ts';
import { isSuppressing } from '../../core/comms/delivery-event.ts';
import { KEEP_DELIVERY_EVENTS_MS, MAX_REMOVED_EVENTS } from '../delivery-rules.ts';
import { toJsonText } from './json-text.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export function createCommsWrites({ db, nowMs }: WriteContext) {
  const select = db.prepare(
    'SELECT digest FROM delivery_events WHERE provider = ? AND event_id = ?',
  );
  const insert = db.prepare(`
    INSERT INTO delivery_events (
      provider, event_id, digest, state, message_id, integration_id, recipient_digest,
      occurred_at_ms, reason, payload, received_at_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const suppress = db.prepare(`
    INSERT INTO suppressions (recipient_digest, state, provider, event_id, at_ms)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT (recipient_digest) DO NOTHING`);
  const removeOld = db.prepare(`
    DELETE FROM delivery_events WHERE no IN (
      SELECT no FROM delivery_events WHERE received_at_ms < ? ORDER BY received_at_ms LIMIT ?
    )`);
  const lift = db.prepare('DELETE FROM suppressions WHERE recipient_digest = ?');

  return {
    ingestDelivery(event: NewDeliveryEvent): IngestOutcome {
      const provider = toJsonText(event.provider);
      const eventId = toJsonText(event.eventId);
      const known = getRow<{ digest: string }>(select, provider, eventId);
      if (known) return known.digest === event.digest ? 'replayed' : 'conflict';
      const atMs = nowMs();
      const { state, recipientDigest } = event;
      insert.run(
        provider,
        eventId,
        event.digest,
        state,
        toJsonText(event.messageId),
        toJsonText(event.integrationId),
        recipientDigest ?? null,
        event.occurredAtMs ?? null,
        toJsonText(event.reason),
        event.payload,
        atMs,
      );
      if (recipientDigest !== undefined && isSuppressing(state)) {
        suppress.run(recipientDigest, state, provider, eventId, atMs);
      }
      removeOld.run(atMs - KEEP_DELIVERY_EVENTS_MS, MAX_REMOVED_EVENTS);
      return 'accepted';
    },

    liftSuppression(recipientDigest: string): boolean {
      return Number(lift.run(recipientDigest).changes) > 0;
    },
  };
}
