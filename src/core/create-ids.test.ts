import { expect, test } from 'vitest';
import { createIds } from './create-ids.ts';

test('ids carry their prefix and sort in the order they were made, also within a millisecond', () => {
  let nowMs = 1_750_000_000_000;
  const ids = createIds(() => nowMs);

  const made = Array.from({ length: 2_000 }, (_, index) => {
    if (index % 500 === 0) nowMs += 1;
    return ids.run();
  });

  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(2_000);
  expect(made.every((id) => /^run_[0-9a-z]{26}$/.test(id))).toBe(true);
});

test('a clock that goes back does not break the order', () => {
  const times = [1_000, 900, 1_001];
  const ids = createIds(() => times.shift() ?? 1_002);

  const made = [ids.event(), ids.event(), ids.event()];

  expect([...made].sort()).toEqual(made);
});
