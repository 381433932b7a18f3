import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;

export interface ReadRange {
  readonly offset: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface BytesRead {
  readonly bytes: Buffer;
  /** Whether the file goes on behind them. */
  readonly hasMore: boolean;
}

/** Reads at most `maxBytes`, whatever size the file has or grows to meanwhile. */
export async function readBytes(handle: FileHandle, range: ReadRange): Promise<BytesRead> {
  const chunks: Buffer[] = [];
  let length = 0;
  // One byte over the limit tells a file that ends there from one that goes on.
  while (length <= range.maxBytes) {
    range.signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, range.maxBytes + 1 - length));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, range.offset + length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  const bytes = Buffer.concat(chunks, Math.min(length, range.maxBytes));
  return { bytes, hasMore: length > range.maxBytes };
}

/** The length without a character that the end cuts in half; the whole length when that would leave nothing. */
export function wholeCharactersLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const isCut = utf8Length(byte) > back;
    return isCut && bytes.length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function utf8Length(lead: number): number {
  if (lead >= 0b1111_0000) return 4;
  if (lead >= 0b1110_0000) return 3;
  return lead >= 0b1100_0000 ? 2 : 1;
}
