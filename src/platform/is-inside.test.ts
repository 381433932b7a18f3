import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInside } from './is-inside.ts';

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a/', '/a/b', true],
  ['/a/', '/a', true],
  ['/', '/a', true],
  ['/', '/', true],
  ['/a', '/ab', false],
  ['/a', '/', false],
  ['/a/b', '/a', false],
  ['/a', '/a/../b', false],
  ['/a', '/a/b/../c', true],
  // Names that begin with dots are names.
  ['/a', '/a/..b', true],
  ['/a', '/a/...', true],
])('%s holds %s: %s', (directory, path, isHeld) => {
  expect(isInside(directory, path)).toBe(isHeld);
});

test('whatever is joined to a directory without climbing is inside, and what climbs out is not', () => {
  const name = fc.stringMatching(/^[a-z .\\ü]{1,6}$/).filter((text) => !/^\.{1,2}$/.test(text));
  const names = fc.array(name, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, fc.array(name, { maxLength: 4 }), (above, below) => {
      const directory = `/${above.join('/')}`;
      expect(isInside(directory, `/${[...above, ...below].join('/')}`)).toBe(true);
      const outside = join(directory, ...below, ...below.map(() => '..'), '..');
      expect(isInside(directory, outside)).toBe(false);
    }),
  );
});
