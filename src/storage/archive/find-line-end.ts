import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;
const LINE_BREAK = 10;

/** How many of the first `limit` bytes are whole lines. */
export async function findLineEnd(handle: FileHandle, limit: number): Promise<number> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let end = limit; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const at = chunk.subarray(0, bytesRead).lastIndexOf(LINE_BREAK);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
