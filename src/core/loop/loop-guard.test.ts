import { expect, test } from 'vitest';
import { findLoop, NO_CALLS, observeCall } from './loop-guard.ts';

function afterCalls(calls: readonly (readonly [input: string, output: string])[]) {
  let guard = NO_CALLS;
  for (const [input, output] of calls) guard = observeCall(guard, { tool: 't', input, output });
  return findLoop(guard);
}

test('the same call with the same result four times in a row is a loop', () => {
  expect(
    afterCalls([
      ['a', '1'],
      ['a', '1'],
      ['a', '1'],
    ]),
  ).toBeUndefined();
  expect(
    afterCalls([
      ['b', '1'],
      ['a', '1'],
      ['a', '1'],
      ['a', '1'],
      ['a', '1'],
    ]),
  ).toBe('repeating');
});

test('the same call with changing results is progress', () => {
  expect(
    afterCalls([
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
      ['a', '4'],
    ]),
  ).toBeUndefined();
});

test('two calls that alternate four times are a loop', () => {
  const pair = [
    ['a', '1'],
    ['b', '2'],
  ] as const;

  expect(afterCalls([...pair, ...pair, ...pair])).toBeUndefined();
  expect(afterCalls([...pair, ...pair, ...pair, ...pair])).toBe('alternating');
});
