import { expect, test } from 'vitest';
import { createTranscriptIds, findTimeInId, isTranscriptId } from './transcript-id.ts';

test.each(['session-1775777421902-1', 'sess_abc123', 'notes.2026', 'a', 'x'.repeat(128)])(
  '%s is an id',
  (id) => {
    expect(isTranscriptId(id)).toBe(true);
  },
);

test.each([
  '',
  '.',
  '..',
  '../x',
  'a..b',
  'a/b',
  'a\\b',
  'a\0b',
  'a b',
  'ä',
  '-x',
  '.hidden',
  'x.',
  'x.json',
  'x.jsonl',
  'x.JSONL',
  'x.rot-17',
  'latest',
  'last',
  'recent',
  'x'.repeat(129),
])('%j is not an id', (id) => {
  expect(isTranscriptId(id)).toBe(false);
});

test('ids of a process go up in time, also when the clock stands still or goes back', () => {
  const ids = [5_000, 5_000, 4_000, 9_000].map(createTranscriptIds());
  const parts = ids.map((id) => id.split('-').slice(1).map(Number));
  const [first = [0, 0]] = parts;

  expect(parts.map(([ms]) => ms)).toEqual([5_000, 5_001, 5_002, 9_000]);
  expect(parts.map(([, counter]) => (counter ?? 0) - (first[1] ?? 0))).toEqual([0, 1, 2, 3]);
});

test('programs that begin in the same millisecond give different ids', () => {
  const ids = new Set(Array.from({ length: 4 }, () => createTranscriptIds()(5_000)));

  expect(ids.size).toBeGreaterThan(1);
});

test('an id of ours says when the transcript began', () => {
  expect(findTimeInId('session-1775777421902-1')).toBe(1_775_777_421_902);
  expect(findTimeInId('notes')).toBeUndefined();
  expect(findTimeInId('session-999999999999999-0')).toBeUndefined();
});
