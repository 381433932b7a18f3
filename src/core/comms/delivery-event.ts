import type { JsonObject } from '../json.ts';

export const DELIVERY_STATES = ['delivered', 'bounced', 'complained', 'unsubscribed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What became of a message, as a provider tells it and a product passes it on. */
export interface DeliveryEvent {
  readonly eventId: string;
  readonly provider: string;
  readonly state: DeliveryState;
  readonly messageId: string | undefined;
  readonly integrationId: string | undefined;
  /** As it was given; it is never stored. */
  readonly recipient: string | undefined;
  readonly occurredAtMs: number | undefined;
  readonly reason: string | undefined;
  readonly payload: JsonObject;
}

/** Whoever got one of these wants no more, or can't be reached. */
export function isSuppressing(state: DeliveryState): boolean {
  return state !== 'delivered';
}
