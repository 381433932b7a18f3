import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { readGently } from './read-gently.ts';

function openStream(sliceCostMs: number) {
  const clock = new ManualClock();
  const stream = new Readable({ read() {}, highWaterMark: 1024 * 1024 });
  const read: Buffer[] = [];
  readGently(stream, clock, (data) => {
    read.push(data);
    clock.advance(sliceCostMs);
  });
  return { clock, stream, textOf: () => Buffer.concat(read).toString('utf8') };
}

test('reads what costs nothing without a pause', async () => {
  const { clock, stream, textOf } = openStream(0);
  const chunks = ['a', 'b', 'c'].map((letter) => letter.repeat(100_000));

  for (const chunk of chunks) stream.push(Buffer.from(chunk));
  await vi.waitFor(() => expect(textOf()).toHaveLength(300_000));

  expect(textOf()).toBe(chunks.join(''));
  expect(clock.pendingTimers).toBe(0);
});

test('rests three times as long as it has worked, and loses nothing of a chunk it had to leave', async () => {
  const { clock, stream, textOf } = openStream(1);
  const text = Array.from({ length: 5_000 }, (_, index) => `${index}`.padStart(5, '0')).join('');
  stream.push(Buffer.from(text));
  await vi.waitFor(() => expect(textOf()).toHaveLength(10 * 1024));

  clock.advance(14);
  await setImmediate();
  const early = textOf().length;
  clock.advance(1);
  await vi.waitFor(() => expect(textOf()).toHaveLength(20 * 1024));
  clock.advance(15);

  await vi.waitFor(() => expect(textOf()).toHaveLength(text.length));
  expect(early).toBe(10 * 1024);
  expect(textOf()).toBe(text);
});
