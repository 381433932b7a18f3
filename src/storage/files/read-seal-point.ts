import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { decodeHead, HEAD_PREFIX, type SignedHead } from '../../core/records/audit-head.ts';

const WINDOW_BYTES = 256 * 1024;
/** Longer than any head. */
const HEAD_BYTES = 8 * 1024;
const LINE_BREAK = 10;
const HEAD_START = Buffer.from(`\n${HEAD_PREFIX}`);

export interface FoundPoint {
  readonly last: SignedHead | undefined;
  readonly segment: ReturnType<typeof createHash>;
  readonly lines: number;
  /** The file ends in the head, without its line break. */
  readonly endsInHead: boolean;
}

/**
 * Where the signed part of a file ends, and what is behind it. After an orderly end that is its last line; a crash
 * leaves some lines more, which are read again. A file from before there were heads is read whole, once.
 */
export async function readSealPoint(handle: FileHandle, size: number): Promise<FoundPoint> {
  const found = await findLastHead(handle, size);
  const start = found === undefined ? 0 : Math.min(size, found.at + found.bytes + 1);
  const segment = createHash('sha256');
  let lines = 0;
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let at = start; at < size; ) {
    const { bytesRead } = await handle.read(window, 0, Math.min(WINDOW_BYTES, size - at), at);
    if (bytesRead === 0) break;
    const part = window.subarray(0, bytesRead);
    segment.update(part);
    for (let i = part.indexOf(LINE_BREAK); i !== -1; i = part.indexOf(LINE_BREAK, i + 1)) {
      lines += 1;
    }
    at += bytesRead;
  }
  const endsInHead = found !== undefined && found.at + found.bytes === size;
  return { last: found?.head, segment, lines, endsInHead };
}

interface FoundHead {
  readonly head: SignedHead;
  readonly at: number;
  /** Without its line break. */
  readonly bytes: number;
}

export async function findLastHead(
  handle: FileHandle,
  size: number,
): Promise<FoundHead | undefined> {
  const window = Buffer.allocUnsafe(WINDOW_BYTES + HEAD_START.length);
  for (let end = size; end > 0; end -= WINDOW_BYTES) {
    const start = Math.max(0, end - WINDOW_BYTES);
    // A little more than the window, for a mark that lies across its end.
    const length = Math.min(size, end + HEAD_START.length) - start;
    const { bytesRead } = await handle.read(window, 0, length, start);
    const part = window.subarray(0, bytesRead);
    for (let i = part.lastIndexOf(HEAD_START); i !== -1; i = lastBefore(part, i)) {
      const found = await readHead(handle, start + i + 1);
      if (found) return found;
    }
  }
  return readHead(handle, 0);
}

function lastBefore(part: Buffer, index: number): number {
  return index === 0 ? -1 : part.lastIndexOf(HEAD_START, index - 1);
}

async function readHead(handle: FileHandle, at: number): Promise<FoundHead | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, at);
  const end = buffer.subarray(0, bytesRead).indexOf(LINE_BREAK);
  const bytes = end === -1 ? bytesRead : end;
  const head = decodeHead(buffer.toString('utf8', 0, bytes));
  return head && { head, at, bytes };
}
