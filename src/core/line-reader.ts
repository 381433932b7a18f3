export interface LineReader {
  /** The lines that this chunk completes. Throws when a line grows beyond the bound. */
  push(chunk: Buffer): string[];
}

/** Splits a stream into lines without copying what has been read so far for every chunk. */
export function createLineReader(maxLineBytes: number): LineReader {
  let parts: Buffer[] = [];
  let heldBytes = 0;

  function hold(part: Buffer): void {
    heldBytes += part.length;
    if (heldBytes > maxLineBytes) {
      parts = [];
      throw new Error(`a line is longer than ${maxLineBytes} bytes`);
    }
    parts.push(part);
  }

  return {
    push(chunk) {
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        hold(chunk.subarray(start, end));
        lines.push(Buffer.concat(parts).toString('utf8'));
        parts = [];
        heldBytes = 0;
        start = end + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
      return lines;
    },
  };
}
