import { expect, test } from 'vitest';
import { toTitle } from './session.ts';

test.each([
  ['', ''],
  ['  one\r\n\ttwo  ', 'one two'],
  ['🦀'.repeat(80), '🦀'.repeat(80)],
  ['🦀'.repeat(81), `${'🦀'.repeat(79)}…`],
  [`${'x'.repeat(78)} y`, `${'x'.repeat(78)} y`],
  [`${'x'.repeat(78)} yy`, `${'x'.repeat(78)}…`],
])('makes one line of %j', (content, title) => {
  expect(toTitle(content)).toBe(title);
});

test('says that a title is not all when the rest is far away', () => {
  expect(toTitle(`one${' '.repeat(10_000)}two`)).toBe('one…');
  expect(toTitle(`one${' '.repeat(1_276)}🦀`)).toBe('one…');
});

test('looks at no more of a message than a title can hold', () => {
  const content = 'a 🦀 '.repeat(1_000_000);
  const startedAt = performance.now();

  for (let times = 0; times < 100; times += 1) toTitle(content);
  const elapsedMs = performance.now() - startedAt;

  // Splitting it into words once takes longer.
  expect(elapsedMs).toBeLessThan(200);
});
