import { expect, test } from 'vitest';
import type { RunSummary } from '../../../../../src/operations/runs/run-shapes.ts';
import { findCursor, findNeighbours, mergePage, type RunRows } from './run-rows.ts';

const run = (number: number, status = 'completed') =>
  ({
    id: `run_${String(number).padStart(6, '0')}`,
    status,
    created_at: new Date(number * 1_000).toISOString(),
  }) as RunSummary;

/** Newest first. */
const from = (newest: number, count: number) =>
  Array.from({ length: count }, (_, at) => run(newest - at));

const numbers = ({ runs }: RunRows) => runs.map(({ id }) => Number(id.slice(4)));

const top = (newest: number, count: number, next: string | null) => ({
  cursor: undefined,
  runs: from(newest, count),
  next,
});

test('grows page by page, and knows its end', () => {
  const first = mergePage(undefined, top(9, 3, 'c7'));
  const second = mergePage(first, { cursor: 'c7', runs: from(6, 3), next: 'c4' });
  const third = mergePage(second, { cursor: 'c4', runs: from(3, 3), next: null });

  expect(numbers(second)).toEqual([9, 8, 7, 6, 5, 4]);
  expect(second.next).toBe('c4');
  expect(numbers(third)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(third.next).toBeNull();
});

test('takes new runs in at the top without losing those that they push down', () => {
  const known = mergePage(mergePage(undefined, top(9, 3, 'c7')), {
    cursor: 'c7',
    runs: from(6, 3),
    next: null,
  });

  const grown = mergePage(known, top(10, 3, 'c8'));

  expect(numbers(grown)).toEqual([10, 9, 8, 7, 6, 5, 4]);
});

test('stays whole when a list of one page outgrows it', () => {
  const known = mergePage(undefined, top(3, 3, null));

  const grown = mergePage(known, top(4, 3, 'c2'));

  expect(numbers(grown)).toEqual([4, 3, 2, 1]);
  expect(grown.next).toBeNull();
});

test('begins anew when so many came that there may be others between', () => {
  const known = mergePage(undefined, top(9, 3, 'c7'));

  const grown = mergePage(known, top(30, 3, 'c28'));

  expect(numbers(grown)).toEqual([30, 29, 28]);
  expect(grown.next).toBe('c28');
});

test('begins when the first runs come to a list that was empty', () => {
  const known = mergePage(undefined, { cursor: undefined, runs: [], next: null });

  const grown = mergePage(known, top(30, 3, 'c28'));

  expect(numbers(grown)).toEqual([30, 29, 28]);
  expect(grown.next).toBe('c28');
});

test('lets go of runs that left the filter, within what was asked again', () => {
  const known = mergePage(undefined, top(9, 3, 'c7'));
  const two = mergePage(known, { cursor: 'c7', runs: from(6, 3), next: 'c4' });

  const refreshed = mergePage(two, {
    cursor: 'c7',
    runs: [run(6, 'failed'), run(4), run(3)],
    next: 'c3',
  });

  expect(numbers(refreshed)).toEqual([9, 8, 7, 6, 4, 3]);
  expect(refreshed.runs[3]?.status).toBe('failed');
});

test('is empty when the server says so', () => {
  const known = mergePage(undefined, top(9, 3, null));

  expect(numbers(mergePage(known, { cursor: undefined, runs: [], next: null }))).toEqual([]);
});

test('holds ten thousand runs, and finds the page and the neighbours of each', () => {
  let rows = mergePage(undefined, top(10_000, 200, 'c9801'));
  for (let newest = 9_800; newest > 0; newest -= 200) {
    const next = newest === 200 ? null : `c${newest - 199}`;
    rows = mergePage(rows, { cursor: `c${newest + 1}`, runs: from(newest, 200), next });
  }

  expect(rows.runs).toHaveLength(10_000);
  expect(new Set(rows.runs.map(({ id }) => id)).size).toBe(10_000);
  expect(findCursor(rows, 'run_010000')).toBeUndefined();
  expect(findCursor(rows, 'run_005000')).toBe('c5001');
  expect(findCursor(rows, 'run_004801')).toBe('c5001');
  expect(findCursor(rows, 'run_123456')).toBeNull();
  expect(findNeighbours(rows, 'run_005000')).toEqual({ newer: 'run_005001', older: 'run_004999' });
  expect(findNeighbours(rows, 'run_000001')).toEqual({ newer: 'run_000002', older: undefined });
});
