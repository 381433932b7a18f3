import { Buffer } from 'node:buffer';
import type { CapturedOutput } from '../core/sandbox/sandbox.ts';

export interface OutputCapture {
  /** Takes the next bytes of the stream; returns how many there were so far. */
  add(chunk: Buffer): number;
  finish(): CapturedOutput;
}

/**
 * Keeps the first and the last half of `maxBytes`. A log says at its beginning what was tried and at its end what
 * came of it, so the middle is what can be missed.
 */
export function createOutputCapture(maxBytes: number): OutputCapture {
  const maxHeadBytes = Math.ceil(maxBytes / 2);
  const maxTailBytes = maxBytes - maxHeadBytes;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer = Buffer.alloc(0);
  let totalBytes = 0;

  return {
    add(chunk) {
      totalBytes += chunk.length;
      const forHead = chunk.subarray(0, maxHeadBytes - headBytes);
      // A copy, since the stream's buffer is larger than what is kept of it.
      if (forHead.length > 0) head.push(Buffer.from(forHead));
      headBytes += forHead.length;
      const rest = chunk.subarray(forHead.length);
      if (rest.length > 0 && maxTailBytes > 0) {
        const kept = rest.length >= maxTailBytes ? rest : Buffer.concat([tail, rest]);
        tail = Buffer.from(kept.subarray(Math.max(0, kept.length - maxTailBytes)));
      }
      return totalBytes;
    },

    finish() {
      const omitted = totalBytes - headBytes - tail.length;
      if (omitted === 0) {
        return { text: toText([...head, tail]), totalBytes, truncated: false };
      }
      const mark = `\n[… ${omitted} bytes left out …]\n`;
      return { text: `${toText(head)}${mark}${toText([tail])}`, totalBytes, truncated: true };
    },
  };
}

function toText(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString('utf8');
}
