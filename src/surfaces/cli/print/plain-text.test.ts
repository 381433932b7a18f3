import { expect, test } from 'vitest';
import { toOneLine, toPlainText } from './plain-text.ts';

test('escape sequences can not reach the terminal; lines, tabs and other scripts can', () => {
  expect(toPlainText('a\u001b]0;title\u0007b\u009b2Jc\rd')).toBe(
    'a\ufffd]0;title\ufffdb\ufffd2Jc\ufffdd',
  );
  expect(toPlainText('one\r\ntwo\tthree äöü 漢字 🦀\n')).toBe('one\ntwo\tthree äöü 漢字 🦀\n');
});

test('one line is one line, cut between characters', () => {
  expect(toOneLine('  one\n\n two\t', 20)).toBe('one two');
  expect(toOneLine('🦀🦀🦀🦀', 3)).toBe('🦀🦀…');
  expect(toOneLine('x'.repeat(1_000_000), 5)).toBe('xxxx…');
});

test('replaces what would turn the reading direction round', () => {
  expect(toPlainText('safe\u202etxt.exe\u2066!')).toBe('safe\ufffdtxt.exe\ufffd!');
});
