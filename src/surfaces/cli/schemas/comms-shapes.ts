import { z } from 'zod';
import { type AnswerShapes, count } from './answer-fields.ts';

export const COMMS_SHAPES: AnswerShapes = {
  'comms suppressions': z.object({
    suppressions_count: count,
    suppressions: z.array(
      z.object({
        recipient_digest: z.string(),
        delivery_state: z.enum(['bounced', 'complained', 'unsubscribed']),
        provider: z.string(),
        event_id: z.string(),
        suppressed_at: z.string(),
      }),
    ),
  }),
  'comms lift': z.object({ recipient: z.string(), lifted: z.boolean() }),
};
