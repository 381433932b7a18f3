import type { CommandSchema } from './command-schema.ts';
import { count, flag, list, object, oneOf, text } from './json-schema.ts';

export const COMMS_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'comms suppressions': {
    fields: {
      suppressions_count: count,
      suppressions: list(
        object({
          recipient_digest: text,
          delivery_state: oneOf('bounced', 'complained', 'unsubscribed'),
          provider: text,
          event_id: text,
          suppressed_at: text,
        }),
      ),
    },
  },
  'comms lift': { fields: { recipient: text, lifted: flag } },
};
