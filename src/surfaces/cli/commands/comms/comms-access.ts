import type { Suppression } from '../../../../core/comms/comms-store.ts';

/** Whom nothing may be sent to any more, for those who look and who let them be written to again. */
export interface CommsAccess {
  /** Newest first. */
  list(limit: number): Promise<Suppression[]>;
  /** Throws `not_found` when nobody had forbidden it. */
  lift(recipient: string): Promise<void>;
}

export interface OpenedComms extends CommsAccess {
  close(): Promise<void>;
}
