import { expect, test } from 'vitest';
import {
  createProjectionQueue,
  type ProjectionQueue,
  type ProjectionTask,
} from './projection-queue.ts';
import type { ProjectionSource } from './projection-source.ts';

const source = { projection: 'run_summary' } as ProjectionSource;
const task = (id: string): ProjectionTask => ({ source, id });
const idsOf = (tasks: readonly ProjectionTask[]) => tasks.map(({ id }) => id);
const LATER_MS = 120_000;

function take(queue: ProjectionQueue, nowMs: number, limit = 10): ProjectionTask[] {
  return queue.take({ limit, nowMs, news: { after: 0, through: queue.mark() } });
}

test('keeps news that come while an entity is tried again', () => {
  const queue = createProjectionQueue(10);
  queue.note(task('a'));
  for (const taken of take(queue, 0)) queue.retryLater(taken, 0);
  const [again] = take(queue, LATER_MS);
  if (!again) throw new Error('it is due');

  queue.note(task('a'));
  queue.settle(again);

  expect(idsOf(take(queue, LATER_MS))).toEqual(['a']);
});

test('news of an entity that fails again do not take it out of its turn', () => {
  const queue = createProjectionQueue(10);
  queue.note(task('a'));
  for (const taken of take(queue, 0)) queue.retryLater(taken, 0);
  const [again] = take(queue, LATER_MS);
  if (!again) throw new Error('it is due');

  queue.note(task('a'));
  queue.retryLater(again, LATER_MS);

  expect(take(queue, LATER_MS)).toEqual([]);
  expect(idsOf(take(queue, 2 * LATER_MS))).toEqual(['a']);
});

test('what failed before takes no more than half of a round from what is new', () => {
  const queue = createProjectionQueue(10);
  for (const id of ['a', 'b', 'c', 'd']) queue.note(task(id));
  for (const taken of take(queue, 0)) queue.retryLater(taken, 0);
  for (const id of ['e', 'f', 'g']) queue.note(task(id));

  const mixed = idsOf(take(queue, LATER_MS, 4));

  expect(mixed).toEqual(['a', 'b', 'e', 'f']);
});

test('news of an entity that was just taken belong to the next round', () => {
  const queue = createProjectionQueue(10);
  queue.note(task('a'));
  const round = { limit: 10, nowMs: 0, news: { after: 0, through: queue.mark() } };

  const first = idsOf(queue.take(round));
  queue.note(task('a'));
  const second = idsOf(queue.take(round));

  expect([first, second, idsOf(take(queue, 0))]).toEqual([['a'], [], ['a']]);
});
