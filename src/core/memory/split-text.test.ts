import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPieces, PIECE_SIZE, splitText } from './split-text.ts';

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(' ', '\n\n', '. ', '! ', '😀', 'word ', 'x'.repeat(50)),
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
const size = fc
  .record({
    maxLength: fc.integer({ min: 8, max: 200 }),
    share: fc.double({ min: 0, max: 0.5, noNaN: true }),
  })
  .map(({ maxLength, share }) => ({ maxLength, overlap: Math.floor(maxLength * share) }));

test('pieces cover a text in order, are bounded and never cut a character', () => {
  fc.assert(
    fc.property(text, size, (whole, bounds) => {
      const pieces = findPieces(whole, bounds);

      expect(pieces[0]?.start).toBe(0);
      expect(pieces.at(-1)?.end).toBe(whole.length);
      for (const [index, { start, end }] of pieces.entries()) {
        const next = pieces[index + 1];
        expect(end - start).toBeLessThanOrEqual(bounds.maxLength);
        expect(whole.slice(start, end).isWellFormed()).toBe(true);
        if (!next) continue;
        expect(next.start).toBeGreaterThan(start);
        expect(next.start).toBeLessThanOrEqual(end);
        expect(next.end).toBeGreaterThan(end);
      }
    }),
  );
});

test('a text that fits is one piece, as it is', () => {
  expect(splitText('')).toEqual(['']);
  expect(splitText(' a '.repeat(160))).toEqual([' a '.repeat(160)]);
});

test('cuts are at sentences, and the next piece says the end of the last one again', () => {
  const sentence = 'The quick brown fox jumps over the lazy dog. ';

  const [first = '', second = ''] = splitText(sentence.repeat(20));

  expect(first).toBe(sentence.repeat(10));
  expect(second.startsWith('dog. The quick brown fox jumps over the lazy dog. ')).toBe(true);
});

test('a long text makes as many pieces as it has to', () => {
  const pieces = splitText('word '.repeat(20_000));

  expect(pieces.length).toBeLessThan(100_000 / (PIECE_SIZE.maxLength / 2 - PIECE_SIZE.overlap));
});
