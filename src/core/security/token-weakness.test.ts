import { expect, test } from 'vitest';
import { findTokenWeakness } from './token-weakness.ts';

test('a token that can be guessed is told from one that can not', () => {
  expect(findTokenWeakness('dev-token')).toBe('known');
  expect(findTokenWeakness('ChangeMe')).toBe('known');
  expect(findTokenWeakness('k3J9-vQ2x7Lm0pT')).toBe('short');
  expect(findTokenWeakness('abababababababababab')).toBe('monotonous');
  expect(findTokenWeakness('k3J9-vQ2x7Lm0pTz')).toBeUndefined();
});
