import type { Comms } from '../../core/comms/comms.ts';
import type { DeliveryEvent } from '../../core/comms/delivery-event.ts';
import { SPANS } from '../../core/telemetry.ts';
import { answer } from '../http/answers/answers.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { BODY_ERRORS, errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';
import { type DeliveryEventBody, deliveryEventBody, deliveryReceipt } from './comms-schema.ts';

export interface CommsRouteDeps {
  readonly deliveryEvents: Pick<Comms, 'ingest'>;
}

const ingestDeliveryEvent = {
  summary: 'Take in a delivery event',
  description:
    'What became of a message, as its provider tells it. Idempotent on the whole event, for each provider and ' +
    'event_id. A recipient that bounced, complained or unsubscribed gets no more messages. Needs no principal.',
  tags: ['internal'],
  security: SIGNED,
  body: deliveryEventBody,
  response: {
    200: answer('The same event was there already.', deliveryReceipt),
    202: answer('The event is stored.', deliveryReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 409, ...BODY_ERRORS),
  },
};

export function addCommsRoutes(app: SurfaceApp, { deliveryEvents }: CommsRouteDeps): void {
  app.post(
    '/comms/delivery-events',
    { schema: ingestDeliveryEvent, config: { span: SPANS.ingest } },
    async (request, reply) => {
      const event = decodeDeliveryEvent(request.body);
      const { replayed } = await deliveryEvents.ingest(event);
      return reply
        .code(replayed ? 200 : 202)
        .send({ eventId: event.eventId, status: 'accepted', idempotentReplay: replayed });
    },
  );
}

/** What is empty says as little as what is missing. */
function decodeDeliveryEvent(body: DeliveryEventBody): DeliveryEvent {
  const { occurred_at: occurredAt } = body;
  return {
    eventId: body.event_id,
    provider: body.provider,
    state: body.delivery_state,
    messageId: body.message_id || undefined,
    integrationId: body.integration_id || undefined,
    recipient: body.recipient || undefined,
    occurredAtMs: occurredAt ? Date.parse(occurredAt) : undefined,
    reason: body.reason || undefined,
    payload: body.payload,
  };
}
