import { expect, test } from 'vitest';
import type { NewsEvent } from '../../../core/events/event.ts';
import { encodePage } from './page-frames.ts';

const pageOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ seq: index + 1 })) as NewsEvent[];

function createEncoder(padding = '') {
  const calls: number[] = [];
  return {
    calls,
    encode(event: NewsEvent) {
      calls.push(event.seq);
      return `id: ${event.seq}${padding}\n\n`;
    },
  };
}

const textOf = (frames: Iterable<string | Uint8Array>) =>
  [...frames].map((frame) => (typeof frame === 'string' ? frame : Buffer.from(frame).toString()));

test('readers of the same page get the same bytes, encoded once', () => {
  const { calls, encode } = createEncoder();
  const page = pageOf(2);

  const [first, second] = [[...encodePage(page, encode)], [...encodePage(page, encode)]];

  expect(textOf(first)).toEqual(['id: 1\n\nid: 2\n\n']);
  expect(second[0]).toBe(first[0]);
  expect(calls).toEqual([1, 2]);
});

test('each surface has its own frames of a page', () => {
  const page = pageOf(1);
  const [plain, padded] = [createEncoder(), createEncoder(' x')];

  const frames = [encodePage(page, plain.encode), encodePage(page, padded.encode)].map(textOf);

  expect(frames).toEqual([['id: 1\n\n'], ['id: 1 x\n\n']]);
});

test('a long page is encoded as it is taken, and not kept', () => {
  const { calls, encode } = createEncoder();
  const frames = encodePage(pageOf(500), encode)[Symbol.iterator]();

  const first = frames.next();

  expect(first).toEqual({ done: false, value: 'id: 1\n\n' });
  expect(calls).toEqual([1]);
});

test('a page with large events is given out event by event', () => {
  const { encode } = createEncoder('x'.repeat(40_000));

  const frames = [...encodePage(pageOf(3), encode)];

  expect(frames.map((frame) => typeof frame)).toEqual(['string', 'string', 'string']);
});
