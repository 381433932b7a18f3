import type { DeliveryState } from './delivery-event.ts';

/** Delivery events of mail providers, and the recipients that must not be written to any more. */
export interface CommsStore {
  /**
   * Once for each event of a provider; what it says about its recipient is stored with it, in the same transaction.
   * The same digest again is a replay and changes nothing, another one a conflict.
   */
  ingest(event: NewDeliveryEvent): Promise<IngestOutcome>;

  /** By the recipient as it was given; stores compare digests of its one spelling. */
  isSuppressed(recipient: string): Promise<boolean>;

  /** Newest first. */
  listSuppressions(limit: number): Promise<Suppression[]>;

  /** Lets the recipient be written to again. False when nobody had forbidden it. */
  liftSuppression(recipient: string): Promise<boolean>;
}

export type IngestOutcome = 'accepted' | 'replayed' | 'conflict';

/** Redacted, and without its recipient. */
export interface NewDeliveryEvent {
  readonly provider: string;
  readonly eventId: string;
  /** Of the whole event as it was sent. */
  readonly digest: string;
  readonly state: DeliveryState;
  readonly messageId: string | undefined;
  readonly integrationId: string | undefined;
  readonly recipientDigest: string | undefined;
  readonly occurredAtMs: number | undefined;
  readonly reason: string | undefined;
  /** Canonical JSON. */
  readonly payload: string;
}

export interface Suppression {
  readonly recipientDigest: string;
  /** What happened to the message that was sent to it. */
  readonly state: Exclude<DeliveryState, 'delivered'>;
  readonly provider: string;
  readonly eventId: string;
  readonly atMs: number;
}
