import { expect, test } from 'vitest';
import { findTokenWeakness } from './token-weakness.ts';

test('a token that can be guessed is told from one that can not', () => {
  expect(findTokenWeakness('dev-token')).toBe('is one that everybody knows');
  expect(findTokenWeakness('ChangeMe')).toBe('is one that everybody knows');
  expect(findTokenWeakness('k3J9-vQ2x7Lm0pT')).toBe('has fewer than 16 characters');
  expect(findTokenWeakness('abababababababababab')).toBe('is made of 2 different characters');
  expect(findTokenWeakness('k3J9-vQ2x7Lm0pTz')).toBeUndefined();
});
