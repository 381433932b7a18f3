import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
/** Longer than any event can be; what exceeds it is no line of ours. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LINE_BREAK = 10;

export interface Line {
  readonly number: number;
  /** Undefined when the line is longer than any of ours. */
  readonly text: string | undefined;
  /** As they lie in the file, with the line break; empty when the line is longer than any of ours. */
  readonly bytes: Buffer;
  /** False for a last line without its line break: its writer was interrupted, or is still at it. */
  readonly isClosed: boolean;
}

/** The lines of a file in pages, as read: an audit file may be larger than memory. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const handle = await open(path, 'r');
  try {
    let number = 1;
    /** What earlier chunks held of a line that goes on. */
    let parts: Buffer[] = [];
    let bytes = 0;

    const takeLine = (end: Buffer, isClosed: boolean): Line => {
      const isOurs = bytes + end.length <= MAX_LINE_BYTES;
      const whole = bytes === 0 ? end : Buffer.concat(isOurs ? [...parts, end] : []);
      parts = [];
      bytes = 0;
      const text = isOurs ? whole.toString('utf8', 0, whole.length - Number(isClosed)) : undefined;
      return { number: number++, text, bytes: whole, isClosed };
    };

    for (;;) {
      // A fresh one each time: lines point into it.
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      const lines: Line[] = [];
      let start = 0;
      for (;;) {
        const end = chunk.indexOf(LINE_BREAK, start);
        if (end === -1 || end >= bytesRead) break;
        lines.push(takeLine(chunk.subarray(start, end + 1), true));
        start = end + 1;
      }
      if (start < bytesRead) {
        bytes += bytesRead - start;
        if (bytes <= MAX_LINE_BYTES) parts.push(chunk.subarray(start, bytesRead));
        else parts = [];
      }
      yield lines;
    }
    if (bytes > 0) yield [takeLine(Buffer.alloc(0), false)];
  } finally {
    await handle.close();
  }
}
