import { expect, test } from 'vitest';
import { chooseEncoding } from './choose-encoding.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0.1', 'br'],
  ['gzip;q=nothing', undefined],
  ['brotli, *', undefined],
])('of %j it chooses %j', (header, chosen) => {
  expect(chooseEncoding(header, ['br', 'gzip'])).toBe(chosen);
});

test('chooses nothing that was not built', () => {
  expect(chooseEncoding('br, gzip', ['gzip'])).toBe('gzip');
  expect(chooseEncoding('br, gzip', [])).toBeUndefined();
});
