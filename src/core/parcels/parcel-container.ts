import type { ParcelEntry } from './parcel-format.ts';

/** How entries become one file, and a file entries again. */
export interface ParcelContainer {
  pack(entries: AsyncIterable<ParcelEntry>): AsyncIterable<Uint8Array>;
  /** Throws `payload_too_large`. */
  receive(source: AsyncIterable<Uint8Array>): Promise<ReceivedParcel>;
}

export interface ReceivedParcel {
  /** From the first one on, each time. Throws `unprocessable` for a file that is no parcel, or not a whole one. */
  entries(): AsyncIterable<ParcelEntry>;
  close(): Promise<void>;
}
