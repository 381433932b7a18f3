import { expect, test } from 'vitest';
import { createPostings, type FoundSlots } from './postings.ts';

function collect(postings: ReturnType<typeof createPostings>, term: number, visible: Uint8Array) {
  const found: FoundSlots = { slots: new Int32Array(1_024), counts: new Uint8Array(1_024) };
  const count = postings.collect(term, visible, found);
  return {
    slots: [...found.slots.subarray(0, count)],
    counts: [...found.counts.subarray(0, count)],
  };
}

test('finds every slot of a term, newest first, over any number of chunks', () => {
  const postings = createPostings();
  const size = 10_000;
  const slots = Array.from({ length: size }, (_, slot) => slot);
  for (const slot of slots) {
    postings.add(0, slot);
    if (slot % 3 === 0) postings.add(1, slot);
    if (slot === 77) postings.add(5_000, slot);
  }
  const all = new Uint8Array(size).fill(1);

  expect(collect(postings, 0, all).slots).toEqual(slots.toReversed());
  expect(collect(postings, 1, all).slots).toEqual(
    slots.filter((slot) => slot % 3 === 0).toReversed(),
  );
  expect(collect(postings, 5_000, all).slots).toEqual([77]);
  expect(collect(postings, 4_999, all).slots).toEqual([]);
  expect(collect(postings, 1_000_000, all).slots).toEqual([]);
  expect(postings.frequency(1)).toBe(3_334);
});

test('counts how often a slot holds a term, and leaves out what is not seen', () => {
  const postings = createPostings();
  for (const [slot, often] of [
    [4, 2],
    [7, 1],
    [9, 500],
  ] as const) {
    for (let time = 0; time < often; time += 1) postings.add(3, slot);
  }
  const visible = new Uint8Array(10).fill(1);

  expect(collect(postings, 3, visible)).toEqual({ slots: [9, 7, 4], counts: [127, 1, 2] });
  visible[7] = 0;
  expect(collect(postings, 3, visible).slots).toEqual([9, 4]);
});
