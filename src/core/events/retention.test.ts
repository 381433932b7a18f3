import { expect, test } from 'vitest';
import type { RunId } from '../ids.ts';
import { planBatches } from './retention.ts';

const A = 'run_a' as RunId;
const B = 'run_b' as RunId;
const C = 'run_c' as RunId;

test('short runs share a batch, a long one is cut in several steps', () => {
  const runs = [
    { runId: A, floor: 0, lastSeq: 4 },
    { runId: B, floor: 2, lastSeq: 25 },
    { runId: C, floor: 0, lastSeq: 3 },
  ];

  const batches = [...planBatches(runs, { keepEvents: 1, maxEvents: 10 })];

  expect(batches).toEqual([
    [
      { runId: A, through: 3 },
      { runId: B, through: 9 },
    ],
    [{ runId: B, through: 19 }],
    [
      { runId: B, through: 24 },
      { runId: C, through: 2 },
    ],
  ]);
});

test.each([
  { keepEvents: 6, floor: 0, through: [2] },
  { keepEvents: 7, floor: 0, through: [1] },
  { keepEvents: 8, floor: 0, through: [] },
  { keepEvents: 9, floor: 0, through: [] },
  { keepEvents: 3, floor: 5, through: [] },
])('of 8 events after floor $floor, $keepEvents to keep: cuts through $through', (plan) => {
  const runs = [{ runId: A, floor: plan.floor, lastSeq: 8 }];

  const cuts = [...planBatches(runs, { keepEvents: plan.keepEvents, maxEvents: 100 })].flat();

  expect(cuts.map((cut) => cut.through)).toEqual(plan.through);
});

test('a batch that is exactly full is not followed by an empty one', () => {
  const runs = [{ runId: A, floor: 0, lastSeq: 11 }];

  expect([...planBatches(runs, { keepEvents: 1, maxEvents: 10 })]).toEqual([
    [{ runId: A, through: 10 }],
  ]);
});
