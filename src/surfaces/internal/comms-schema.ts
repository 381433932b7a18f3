import { z } from 'zod';
import { DELIVERY_STATES } from '../../core/comms/delivery-event.ts';
import { storable } from '../../operations/fields.ts';
import { jsonObject } from './fields.ts';

/** The wire shapes of delivery events in contract 4. */
const MIN_NAME_CHARS = 2;
const MAX_EVENT_ID_CHARS = 256;
const MAX_PROVIDER_CHARS = 64;
const MAX_ID_CHARS = 256;
/** The longest address there is. */
const MAX_RECIPIENT_CHARS = 320;
const MAX_REASON_CHARS = 1000;

export const deliveryEventBody = z
  .object({
    event_id: storable(MAX_EVENT_ID_CHARS).trim().min(MIN_NAME_CHARS).meta({
      description: 'Known once for each provider: the same event again changes nothing.',
    }),
    provider: storable(MAX_PROVIDER_CHARS).trim().toLowerCase().min(MIN_NAME_CHARS),
    delivery_state: z.enum(DELIVERY_STATES),
    message_id: storable(MAX_ID_CHARS).trim().nullish(),
    integration_id: storable(MAX_ID_CHARS).trim().nullish(),
    recipient: storable(MAX_RECIPIENT_CHARS).trim().nullish().meta({
      description: 'Only a digest of it is stored.',
    }),
    occurred_at: z.iso
      .datetime({ offset: true, error: 'must be a time as in 2026-02-19T18:00:00Z' })
      .nullish(),
    reason: storable(MAX_REASON_CHARS).trim().nullish(),
    payload: jsonObject.meta({ description: 'What the provider sent. Stored without addresses.' }),
  })
  .meta({
    examples: [
      {
        event_id: 'resend_evt_123',
        provider: 'resend',
        delivery_state: 'delivered',
        message_id: 'email_abc',
        integration_id: 'resend.primary',
        recipient: 'user@example.com',
        occurred_at: '2026-02-19T18:00:00Z',
        reason: null,
        payload: { rawType: 'email.delivered' },
      },
    ],
  });

export const deliveryReceipt = z.object({
  eventId: z.string(),
  status: z.literal('accepted'),
  idempotentReplay: z.boolean(),
});

export type DeliveryEventBody = z.output<typeof deliveryEventBody>;
