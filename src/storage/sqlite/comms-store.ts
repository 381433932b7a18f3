import type { CommsStore, Suppression } from '../../core/comms/comms-store.ts';
import { digestRecipient } from '../../core/comms/recipient.ts';
import { MAX_PAGE_SUPPRESSIONS } from '../delivery-rules.ts';
import { parseJsonText } from './json-text.ts';
import type { PortDeps } from './port-deps.ts';
import { allRows, getRow } from './rows.ts';

interface SuppressionRow {
  readonly recipient_digest: string;
  readonly state: Suppression['state'];
  readonly provider: string;
  readonly event_id: string;
  readonly at_ms: number;
}

export function createCommsStore({ db, read, writer }: PortDeps): CommsStore {
  const select = db.prepare('SELECT 1 FROM suppressions WHERE recipient_digest = ?');
  const selectPage = db.prepare('SELECT * FROM suppressions ORDER BY no DESC LIMIT ?');

  function list(limit: number): Suppression[] {
    // A negative limit means none to SQLite.
    const size = Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_SUPPRESSIONS));
    return allRows<SuppressionRow>(selectPage, size).map((row) => ({
      recipientDigest: row.recipient_digest,
      state: row.state,
      provider: parseJsonText(row.provider),
      eventId: parseJsonText(row.event_id),
      atMs: row.at_ms,
    }));
  }

  return {
    ingest: (event) => writer.submit('ingestDelivery', event),
    isSuppressed: (recipient) =>
      read(() => getRow(select, digestRecipient(recipient)) !== undefined),
    listSuppressions: (limit) => read(() => list(limit)),
    liftSuppression: (recipient) => writer.submit('liftSuppression', digestRecipient(recipient)),
  };
}
