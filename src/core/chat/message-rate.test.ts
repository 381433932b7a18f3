import { expect, test } from 'vitest';
import { RuntimeError } from '../errors.ts';
import { createMessageRate, type MessageLimits } from './message-rate.ts';

const LIMITS: MessageLimits = { rateLimitPerMin: 2, globalRateLimitPerMin: 3 };

function openRate() {
  let nowMs = 1_800_000_000_000;
  const rate = createMessageRate(() => nowMs);
  return {
    advance: (ms: number) => {
      nowMs += ms;
    },
    /** What a message is answered with: the seconds to wait, or 0. */
    take(userId: string, roomId = 'room', limits = LIMITS): number {
      try {
        rate.take({ channel: 'http', userId, roomId }, limits);
        return 0;
      } catch (thrown) {
        if (!(thrown instanceof RuntimeError) || thrown.code !== 'rate_limited') throw thrown;
        return Number(thrown.details?.['retry_after_seconds']);
      }
    },
  };
}

test('slides: room for one more opens when the oldest message is a minute old', () => {
  const { take, advance } = openRate();
  const answers = [take('ana')];
  advance(20_000);
  answers.push(take('ana'), take('ana'));
  advance(39_999);
  answers.push(take('ana'));
  advance(1);
  answers.push(take('ana'), take('ana'));

  expect(answers).toEqual([0, 0, 40, 1, 0, 20]);
});

test('counts each user in each room alone', () => {
  const { take } = openRate();

  const limits = { rateLimitPerMin: 1, globalRateLimitPerMin: 100 };
  const answers = [
    take('ana', 'a', limits),
    take('ana', 'a', limits),
    take('ana', 'b', limits),
    take('ben', 'a', limits),
  ];

  expect(answers).toEqual([0, 60, 0, 0]);
});

test('refuses everybody once all together have sent enough', () => {
  const { take } = openRate();

  const answers = [take('ana'), take('ben'), take('cleo'), take('dora')];

  expect(answers).toEqual([0, 0, 0, 60]);
});

test('does not count a refused message, for its sender nor for the others', () => {
  const { take, advance } = openRate();

  const flood = [take('ana'), take('ana'), ...Array.from({ length: 50 }, () => take('ana'))];
  const other = take('ben');
  advance(60_000);

  expect(flood.filter((wait) => wait === 0)).toHaveLength(2);
  expect(other).toBe(0);
  expect(take('ana')).toBe(0);
});

test('obeys a limit that changes while messages are counted', () => {
  const { take, advance } = openRate();
  const wide = { rateLimitPerMin: 10, globalRateLimitPerMin: 10 };
  for (let sent = 0; sent < 5; sent += 1) {
    take('ana', 'room', wide);
    advance(1000);
  }

  // Five are there and two is the limit: one of the last two, 2 s old, has to leave as well.
  expect(take('ana', 'room', { ...wide, rateLimitPerMin: 2 })).toBe(58);
  expect(take('ana', 'room', wide)).toBe(0);
});

test('does not wait for a future that a clock set back has made', () => {
  const { take, advance } = openRate();
  take('ana');
  take('ana');

  advance(-3_600_000);

  expect(take('ana')).toBe(60);
  advance(60_000);
  expect(take('ana')).toBe(0);
});

test('forgets who has been silent longest when too many write', () => {
  const { take } = openRate();
  const limits = { rateLimitPerMin: 1, globalRateLimitPerMin: 1_000_000 };
  for (let user = 0; user <= 10_000; user += 1) take(`user_${user}`, 'room', limits);

  expect(take('user_1', 'room', limits)).toBe(60);
  expect(take('user_0', 'room', limits)).toBe(0);
});
