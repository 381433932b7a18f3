import type { Readable } from 'node:stream';
import type { Clock } from '../core/clock.ts';

/** Of our time, what one stream may take: one part in so many. */
const SHARE = 4;
/** At a time. The rest of a chunk waits with the stream. */
const MAX_SPELL_MS = 5;
/** Looked at between two looks at the clock: as many lines of noise as these hold cost a few milliseconds. */
const SLICE_BYTES = 2 * 1024;
/** Also when the clock was moved meanwhile. */
const MAX_REST_MS = 100;

/**
 * Reads a stream with pauses that grow with the time its data takes: a program that floods us has to wait for us, and
 * nobody else has to. Without them `yes` as a worker stopped a server for 34 seconds.
 */
export function readGently(
  stream: Readable,
  clock: Pick<Clock, 'nowMs' | 'after'>,
  onData: (data: Buffer) => void,
): void {
  stream.on('data', (chunk: Buffer) => {
    const beganAtMs = clock.nowMs();
    let end = 0;
    let spentMs = 0;
    while (end < chunk.length && spentMs < MAX_SPELL_MS) {
      onData(chunk.subarray(end, end + SLICE_BYTES));
      end += SLICE_BYTES;
      spentMs = clock.nowMs() - beganAtMs;
    }
    if (spentMs <= 0) return;
    stream.pause();
    if (end < chunk.length) stream.unshift(chunk.subarray(end));
    clock.after(Math.min(spentMs * (SHARE - 1), MAX_REST_MS), () => stream.resume());
  });
}
