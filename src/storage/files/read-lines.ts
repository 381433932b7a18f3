import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
/** Longer than any event can be; what exceeds it is no line of ours. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface Line {
  readonly number: number;
  /** Undefined when the line is longer than any of ours. */
  readonly text: string | undefined;
  /** False for a last line without its line break: its writer was interrupted, or is still at it. */
  readonly isClosed: boolean;
}

/** The lines of a file in pages, as read: an audit file may be larger than memory. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const handle = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let number = 1;
    let parts: Buffer[] = [];
    let bytes = 0;

    const takeLine = (isClosed: boolean): Line => {
      const text = bytes > MAX_LINE_BYTES ? undefined : Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      return { number: number++, text, isClosed };
    };
    const keep = (part: Buffer): void => {
      bytes += part.length;
      if (bytes <= MAX_LINE_BYTES) parts.push(Buffer.from(part));
      else parts = [];
    };

    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      const lines: Line[] = [];
      let start = 0;
      for (
        let end = chunk.indexOf(10);
        end !== -1 && end < bytesRead;
        end = chunk.indexOf(10, start)
      ) {
        keep(chunk.subarray(start, end));
        lines.push(takeLine(true));
        start = end + 1;
      }
      if (start < bytesRead) keep(chunk.subarray(start, bytesRead));
      yield lines;
    }
    if (bytes > 0) yield [takeLine(false)];
  } finally {
    await handle.close();
  }
}
