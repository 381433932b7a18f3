import { toIso } from '../../../../core/clock.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatDate, formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { withComms } from './open-comms.ts';

const MAX_LIMIT = 200;
const MAX_TEXT_CHARS = 60;
const SHOWN_DIGEST_CHARS = 16;

export const commsSuppressions = defineCommand({
  usage: '[--limit N]',
  description:
    'A recipient that bounced, complained or unsubscribed gets no more messages. Only a digest of the address is kept,\n' +
    'so the list says which event it was, and not who. Newest first. Reads the database.',
  args: { min: 0, max: 0 },
  options: { limit: pageOptions(MAX_LIMIT).limit },
  examples: ['claw comms suppressions', 'claw comms suppressions --limit 100'],
  run: ({ options }, context) =>
    withComms(context, (comms) => comms.list(options.limit ?? DEFAULT_LIMIT)),
  fields: (suppressions) => ({
    suppressions_count: suppressions.length,
    suppressions: suppressions.map((one) => ({
      recipient_digest: one.recipientDigest,
      delivery_state: one.state,
      provider: one.provider,
      event_id: one.eventId,
      suppressed_at: toIso(one.atMs),
    })),
  }),
  text(suppressions) {
    if (suppressions.length === 0) return '(no suppressions)';
    const rows = suppressions.map((one) => [
      one.recipientDigest.slice(0, SHOWN_DIGEST_CHARS),
      one.state,
      formatDate(toIso(one.atMs)),
      toOneLine(one.provider, MAX_TEXT_CHARS),
      toOneLine(one.eventId, MAX_TEXT_CHARS),
    ]);
    return formatTable(rows);
  },
});
