import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { createOutputCapture } from './output-capture.ts';

test('keeps an output that fits whole, in however many pieces it comes', () => {
  const capture = createOutputCapture(10);

  for (const piece of ['abc', '', 'defg', 'hij']) capture.add(Buffer.from(piece));

  expect(capture.finish()).toEqual({ text: 'abcdefghij', totalBytes: 10, truncated: false });
});

test('keeps the beginning and the end of a larger output and says how much is missing', () => {
  const capture = createOutputCapture(8);

  for (const piece of ['0123', '4567', '89ab', 'cd']) capture.add(Buffer.from(piece));

  expect(capture.finish()).toEqual({
    text: '0123\n[… 6 bytes left out …]\nabcd',
    totalBytes: 14,
    truncated: true,
  });
});

test('keeps the end of one piece that is larger than everything it may keep', () => {
  const capture = createOutputCapture(4);

  capture.add(Buffer.from('the first and the last'));

  expect(capture.finish().text).toBe('th\n[… 18 bytes left out …]\nst');
});
