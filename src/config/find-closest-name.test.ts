import { expect, test } from 'vitest';
import { findClosestName } from './find-closest-name.ts';

const KNOWN = ['server', 'api', 'bind_address', 'max_turns', 'max_streams'];

test.each([
  ['sever', 'server'],
  ['bindAddress', 'bind_address'],
  ['bind-address', 'bind_address'],
  ['max_turn', 'max_turns'],
  ['Api', 'api'],
])('takes %s for %s', (name, expected) => {
  expect(findClosestName(name, KNOWN)).toBe(expected);
});

test.each(['xyz', 'completely_different', '', 'x'.repeat(10_000)])(
  'suggests nothing for %.20s',
  (name) => {
    expect(findClosestName(name, KNOWN)).toBeUndefined();
  },
);
