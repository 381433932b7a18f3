import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createSignInCodes, MAX_OPEN_CODES } from './sign-in-codes.ts';

test('a code is long, good once, and can be given back', () => {
  const codes = createSignInCodes(new ManualClock());
  const { code } = codes.mint();

  const first = codes.take(code);
  const second = codes.take(code);
  first?.();

  expect(Buffer.from(code, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect(second).toBeUndefined();
  expect(codes.take(code)).toBeDefined();
  expect(codes.take('')).toBeUndefined();
});

test('a code is good for ten minutes', () => {
  const clock = new ManualClock();
  const codes = createSignInCodes(clock);
  const [one, two] = [codes.mint(), codes.mint()];

  clock.advance(10 * 60_000 - 1);
  const inTime = codes.take(one.code);
  clock.advance(1);
  const late = codes.take(two.code);

  expect(inTime).toBeDefined();
  expect(late).toBeUndefined();
});

test('a few are open at once, and the oldest makes room', () => {
  const codes = createSignInCodes(new ManualClock());
  const [oldest, ...others] = Array.from({ length: MAX_OPEN_CODES + 1 }, () => codes.mint().code);

  const taken = [oldest, ...others].map((code) => codes.take(code ?? '') !== undefined);

  expect(taken).toEqual([false, ...others.map(() => true)]);
});
