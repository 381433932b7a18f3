import { expect, test } from 'vitest';
import { PLACE_NAME_PATTERN } from './place-name.ts';

test.each(['123456', 'dev-room', 'a.b', 'Ana María', '会議室', '🦀'.repeat(128), '.', 'a:b@c'])(
  'takes %j',
  (name) => {
    expect(PLACE_NAME_PATTERN.test(name)).toBe(true);
  },
);

test.each([
  '',
  ' ',
  'a/b',
  'a\\b',
  '..',
  'a..b',
  'a\nb',
  'a\0b',
  'a\u0085b',
  'a\u2028..',
  '\ud800',
  'x'.repeat(129),
])('refuses %j', (name) => {
  expect(PLACE_NAME_PATTERN.test(name)).toBe(false);
});
