import { expect, test } from 'vitest';
import { cutAtPauses } from './cut-at-pauses.ts';

const RATE = 100;

test('what is short stays whole', () => {
  const samples = new Float32Array(15 * RATE).fill(1);

  expect(cutAtPauses(samples, RATE)).toEqual([samples]);
});

test('what is long is cut in a pause, and nothing is lost', () => {
  const samples = new Float32Array(20 * RATE).fill(1);
  samples.fill(0, 12 * RATE, 12 * RATE + 20);

  const parts = cutAtPauses(samples, RATE);

  expect(parts.map(({ length }) => length)).toEqual([1205, 795]);
});

test('without a pause it is cut all the same', () => {
  const parts = cutAtPauses(new Float32Array(100 * RATE).fill(1), RATE);

  expect(parts.every(({ length }) => length <= 15 * RATE)).toBe(true);
  expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(100 * RATE);
});
