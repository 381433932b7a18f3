import { expect, test } from 'vitest';
import { isTold, refreshMsOf, refreshMsOfPages } from './freshness.ts';

test('what events tell of is read by no clock, and what others settle or rename is', () => {
  expect([refreshMsOf('runs.list'), refreshMsOf('approvals.list')]).toEqual([false, false]);
  expect([refreshMsOf('effects.list'), refreshMsOf('sessions.get')]).toEqual([10_000, 10_000]);
});

test('a difference follows its file, and not the answers to other questions', () => {
  expect(refreshMsOf('approvals.preview')).toBe(30_000);
  expect([isTold('approvals.preview'), isTold('approvals.get')]).toEqual([false, true]);
});

test('a list is read again until somebody goes further down', () => {
  const refreshMs = refreshMsOfPages('jobs.list');

  expect(refreshMs({ state: {} })).toBe(10_000);
  expect(refreshMs({ state: { data: { pages: [{}] } } })).toBe(10_000);
  expect(refreshMs({ state: { data: { pages: [{}, {}] } } })).toBe(false);
});

test('a search is repeated by nothing but a person', () => {
  expect([refreshMsOf('memory.search'), isTold('memory.search')]).toEqual([false, false]);
  expect(refreshMsOfPages('memory.search')({ state: {} })).toBe(false);
});
