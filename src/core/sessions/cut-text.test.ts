import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countChars, cutLine, cutText } from './cut-text.ts';

/** Everything that counting characters goes wrong with. */
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', ' ', '\n', '😀', '👩‍👩‍👧', 'e\u0301', '\u0301', '\ud83d', '\ude00', '🇩🇪'),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
  ),
  maxLength: 200,
});
const caps = fc.integer({ min: 0, max: 60 });

test.each([
  ['hello', 5, 'hello'],
  [' hello\n', 5, 'hello'],
  ['hello!', 5, 'he...'],
  ['ab  cd', 5, 'ab...'],
  ['hello', 3, '...'],
  ['hello', 2, '..'],
  ['hello', 0, ''],
  ['😀😀😀😀😀', 5, '😀😀😀😀😀'],
  ['😀😀😀😀😀😀', 5, '😀😀...'],
  ['ae\u0301e\u0301e\u0301e\u0301', 6, 'ae\u0301...'],
  ['ae\u0301e\u0301e\u0301e\u0301', 5, 'a...'],
  [`👩‍👩‍👧${'x'.repeat(10)}`, 6, '...'],
])('cuts %j to %i characters', (text, maxChars, expected) => {
  expect(cutText(text, maxChars)).toBe(expected);
});

test('cuts a cluster that is longer than any character of people', () => {
  const pile = `x${'\u0301'.repeat(500)}`;

  const cut = cutText(pile, 200);

  expect(cut).toBe(`x${'\u0301'.repeat(196)}...`);
});

test('keeps within the cap, says that it cut, and never splits a pair', () => {
  fc.assert(
    fc.property(texts, caps, (text, maxChars) => {
      const cut = cutText(text, maxChars);
      const whole = text.trim();

      expect(Array.from(cut).length).toBeLessThanOrEqual(maxChars);
      if (Array.from(whole).length <= maxChars) expect(cut).toBe(whole);
      else if (maxChars > 3) {
        expect(cut.endsWith('...')).toBe(true);
        const points = Array.from(cut.slice(0, -3));
        expect(Array.from(whole).slice(0, points.length)).toEqual(points);
      }
      expect(cutText(cut, maxChars)).toBe(cut);
    }),
  );
});

test('counts code points', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(countChars(text)).toBe(Array.from(text).length);
    }),
  );
});

test('puts text on one line within the cap', () => {
  fc.assert(
    fc.property(texts, caps, (text, maxChars) => {
      const line = cutLine(text, maxChars);

      expect(Array.from(line).length).toBeLessThanOrEqual(maxChars);
      expect(line).not.toMatch(/[\r\n\u2028\u2029]/);
    }),
  );
  expect(cutLine(' a\n\n b\tc ', 10)).toBe('a b c');
  expect(cutLine(`a${' '.repeat(100)}b`, 10)).toBe('a ...');
});

test('costs next to nothing, however long the text is', () => {
  const text = '😀'.repeat(5_000_000);
  const startedAt = performance.now();

  for (let times = 0; times < 1_000; times += 1) cutText(text, 1_400);
  const elapsedMs = performance.now() - startedAt;

  // Looking at the whole text once takes tens of milliseconds, so a thousand times takes half a minute.
  expect(elapsedMs).toBeLessThan(5_000);
});
