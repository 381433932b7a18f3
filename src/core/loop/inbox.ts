import type { Frame } from '../threads/frame.ts';

/** Frames that are on record and that nothing has come of yet, oldest first. */
export interface Inbox {
  readonly frames: readonly Frame[];
  /** The `seq` of the newest frame that was looked at. */
  readonly through: number;
}

export const EMPTY_INBOX: Inbox = { frames: [], through: 0 };
