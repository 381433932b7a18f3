import type {
  CommsStore,
  IngestOutcome,
  NewDeliveryEvent,
  Suppression,
} from '../../core/comms/comms-store.ts';
import { isSuppressing } from '../../core/comms/delivery-event.ts';
import { digestRecipient } from '../../core/comms/recipient.ts';
import {
  KEEP_DELIVERY_EVENTS_MS,
  MAX_PAGE_SUPPRESSIONS,
  MAX_REMOVED_EVENTS,
} from '../delivery-rules.ts';
import { readMark } from './mark.ts';
import { clampLimit, type Statement } from './statement.ts';
import type { StoreDeps } from './store-deps.ts';
import { decodeText, encodeText } from './text-codec.ts';
import { writeOnce } from './write-once.ts';

// Waits for another transaction that is about to store the same event: the one that comes second stores nothing.
const INSERT = `
  insert into delivery_events (
    provider, event_id, digest, state, message_id, integration_id, recipient_digest,
    occurred_at_ms, reason, payload, received_at_ms
  ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (provider, event_id) do nothing
  returning 1 as stored`;
const FIND = 'select digest from delivery_events where provider = $1 and event_id = $2';
const SUPPRESS = `
  insert into suppressions (recipient_digest, state, provider, event_id, at_ms)
  values ($1, $2, $3, $4, $5) on conflict (recipient_digest) do nothing`;
// What somebody else is removing is left to him.
const REMOVE_OLD = `
  delete from delivery_events where no in (
    select no from delivery_events where received_at_ms < $1
    order by received_at_ms limit $2 for update skip locked
  )`;
const IS_SUPPRESSED = 'select 1 as found from suppressions where recipient_digest = $1';
const LIST = `
  select recipient_digest, state, provider, event_id, at_ms
  from suppressions order by no desc limit $1`;
const LIFT = 'delete from suppressions where recipient_digest = $1 returning 1 as lifted';

interface StoredSuppression {
  readonly recipient_digest: string;
  readonly state: Suppression['state'];
  readonly provider: string;
  readonly event_id: string;
  readonly at_ms: number;
}

export function createCommsStore(deps: StoreDeps): CommsStore {
  const { database } = deps;
  return {
    ingest: (event) => ingest(deps, event),

    isSuppressed: async (recipient) => {
      const values = [digestRecipient(recipient)];
      const found = await database.read({ name: 'is_suppressed', text: IS_SUPPRESSED, values });
      return found.length > 0;
    },

    listSuppressions: async (limit) => {
      const values = [clampLimit(limit, MAX_PAGE_SUPPRESSIONS)];
      const statement = { name: 'list_suppressions', text: LIST, values };
      const stored = await database.read<StoredSuppression>(statement);
      return stored.map((row) => ({
        recipientDigest: row.recipient_digest,
        state: row.state,
        provider: decodeText(row.provider),
        eventId: decodeText(row.event_id),
        atMs: row.at_ms,
      }));
    },

    liftSuppression: async (recipient) => {
      const values = [digestRecipient(recipient)];
      const lifted = await writeOnce(database, { name: 'lift_suppression', text: LIFT, values });
      return lifted.length > 0;
    },
  };
}

function ingest({ database, nowMs }: StoreDeps, event: NewDeliveryEvent): Promise<IngestOutcome> {
  const provider = encodeText(event.provider);
  const eventId = encodeText(event.eventId);
  return database.transact<IngestOutcome>(async (transaction) => {
    const mark = await readMark(transaction, nowMs?.());
    const stored = await transaction.query({
      name: 'insert_delivery_event',
      text: INSERT,
      values: toValues(event, mark.nowMs),
    });
    if (stored.length > 0) {
      return { value: 'accepted', writes: toWrites(event, mark.nowMs), xid: mark.xid };
    }
    const values = [provider, eventId];
    const statement = { name: 'find_delivery_event', text: FIND, values };
    const [known] = await transaction.query<{ digest: string }>(statement);
    const value = known?.digest === event.digest ? 'replayed' : 'conflict';
    return { value, writes: [], xid: mark.xid };
  });
}

function toValues(event: NewDeliveryEvent, nowMs: number): readonly unknown[] {
  const orNull = (text: string | undefined) => (text === undefined ? null : encodeText(text));
  return [
    encodeText(event.provider),
    encodeText(event.eventId),
    event.digest,
    event.state,
    orNull(event.messageId),
    orNull(event.integrationId),
    event.recipientDigest ?? null,
    event.occurredAtMs ?? null,
    orNull(event.reason),
    event.payload,
    nowMs,
  ];
}

function toWrites(event: NewDeliveryEvent, nowMs: number): Statement[] {
  const { state, recipientDigest } = event;
  const removal = [nowMs - KEEP_DELIVERY_EVENTS_MS, MAX_REMOVED_EVENTS];
  const remove = { name: 'remove_old_delivery_events', text: REMOVE_OLD, values: removal };
  if (recipientDigest === undefined || !isSuppressing(state)) return [remove];
  const values = [
    recipientDigest,
    state,
    encodeText(event.provider),
    encodeText(event.eventId),
    nowMs,
  ];
  return [{ name: 'suppress_recipient', text: SUPPRESS, values }, remove];
}
