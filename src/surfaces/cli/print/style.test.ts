import { expect, test } from 'vitest';
import { createStyle } from './style.ts';

test('colours only on a terminal that has them, and only when wanted', () => {
  const terminal = { isTTY: true, columns: 100, hasColors: () => true };

  expect(createStyle(terminal, true).red('no')).toBe('\u001b[31mno\u001b[39m');
  expect(createStyle(terminal, false).red('no')).toBe('no');
  expect(createStyle({ ...terminal, hasColors: () => false }, true).red('no')).toBe('no');
  expect(createStyle({ columns: 100 }, true).red('no')).toBe('no');
});

test('a line is as wide as the terminal, and a pipe has room for a whole message', () => {
  expect(createStyle({ isTTY: true, columns: 100 }, true).width).toBe(100);
  expect(createStyle({ isTTY: true, columns: 3 }, true).width).toBe(40);
  expect(createStyle({}, true).width).toBe(240);
});
