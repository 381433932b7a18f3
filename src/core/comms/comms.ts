import { createHash } from 'node:crypto';
import { RuntimeError } from '../errors.ts';
import { canonicalJson } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { CommsStore, NewDeliveryEvent, Suppression } from './comms-store.ts';
import type { DeliveryEvent } from './delivery-event.ts';
import { createMask, maskObject } from './mask-recipients.ts';
import { bareRecipient, digestRecipient, normalizeRecipient } from './recipient.ts';

const MAX_PAYLOAD_CHARS = 256 * 1024;

/** What became of messages that were sent, and whom nothing may be sent to any more. */
export interface Comms {
  /** Durable when it returns. The same event again changes nothing; another one under its id is a `conflict`. */
  ingest(event: DeliveryEvent): Promise<{ readonly replayed: boolean }>;
  isSuppressed(recipient: string): Promise<boolean>;
  /** Newest first. */
  listSuppressions(limit: number): Promise<Suppression[]>;
  /** Throws `not_found` when nobody had forbidden it. */
  lift(recipient: string): Promise<void>;
}

export interface CommsDeps {
  readonly store: CommsStore;
  readonly redactor: Redactor;
}

export function createComms({ store, redactor }: CommsDeps): Comms {
  return {
    async ingest(event) {
      const outcome = await store.ingest(toStored(event, redactor));
      if (outcome === 'conflict') {
        throw new RuntimeError('conflict', 'event_id payload mismatch for existing webhook event', {
          details: { provider: event.provider, event_id: event.eventId },
        });
      }
      return { replayed: outcome === 'replayed' };
    },

    isSuppressed: (recipient) => store.isSuppressed(recipient),
    listSuppressions: (limit) => store.listSuppressions(limit),

    async lift(recipient) {
      if (await store.liftSuppression(recipient)) return;
      throw new RuntimeError('not_found', 'that recipient is not suppressed', {
        details: { thing: 'suppression' },
      });
    },
  };
}

/** The digest is that of the event as it was sent: redaction may change what it replaces, a replay must not notice. */
function toStored(event: DeliveryEvent, redactor: Redactor): NewDeliveryEvent {
  const { recipient, payload, ...facts } = event;
  const text = canonicalJson(payload);
  if (text.length > MAX_PAYLOAD_CHARS) {
    const message = `payload has ${text.length} characters of JSON, at most ${MAX_PAYLOAD_CHARS} are kept`;
    throw new RuntimeError('payload_too_large', message);
  }
  const mask = createMask(recipient === undefined ? undefined : bareRecipient(recipient));
  const redacted = maskObject(redactor.redact(payload, 'payload').value, mask);
  return {
    ...facts,
    digest: digestEvent(event),
    recipientDigest: recipient === undefined ? undefined : digestRecipient(recipient),
    reason: event.reason === undefined ? undefined : mask(redactor.redactText(event.reason)),
    payload: canonicalJson(redacted),
  };
}

function digestEvent(event: DeliveryEvent): string {
  const { recipient } = event;
  const whole = {
    ...event,
    recipient: recipient === undefined ? undefined : normalizeRecipient(recipient),
  };
  return createHash('sha256').update(canonicalJson(whole)).digest('hex');
}
