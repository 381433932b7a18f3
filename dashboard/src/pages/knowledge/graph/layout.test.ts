import { expect, test } from 'vitest';
import { createLayout, type LayoutGiven } from './layout.ts';

const MANY_STEPS = 1_000;

test('comes to rest, with what hangs together nearer than what does not', () => {
  const places = settle({
    radii: new Float32Array([5, 5, 5, 5]),
    links: new Uint32Array([0, 1, 2, 3]),
    start: new Float32Array(8).fill(Number.NaN),
  });

  expect(distance(places, 0, 1)).toBeLessThan(distance(places, 0, 2));
  expect(distance(places, 2, 3)).toBeLessThan(distance(places, 1, 3));
});

test('leaves what was there about where it was when something new comes', () => {
  const radii = new Float32Array([5, 5, 5]);
  const links = new Uint32Array([0, 1, 1, 2]);
  const before = settle({ radii, links, start: new Float32Array(6).fill(Number.NaN) });

  const after = settle({
    radii: new Float32Array([5, 5, 5, 5]),
    links: new Uint32Array([0, 1, 1, 2, 2, 3]),
    start: new Float32Array([...before, Number.NaN, Number.NaN]),
  });

  const moved = Math.hypot((after[0] ?? 0) - (before[0] ?? 0), (after[1] ?? 0) - (before[1] ?? 0));
  expect(moved).toBeLessThan(distance(before, 0, 2));
});

test('a node of its own, and none at all, are laid out too', () => {
  const alone = {
    radii: new Float32Array([5]),
    links: new Uint32Array(),
    start: new Float32Array([Number.NaN, Number.NaN]),
  };

  expect(settle(alone)).toHaveLength(2);
  expect(
    settle({ radii: new Float32Array(), links: new Uint32Array(), start: new Float32Array() }),
  ).toHaveLength(0);
});

test('needs fewer steps for a large graph', () => {
  const count = 2_500;
  const layout = createLayout({
    radii: new Float32Array(count).fill(4),
    links: new Uint32Array(),
    start: new Float32Array(2 * count).fill(Number.NaN),
  });
  let steps = 0;
  while (!layout.isSettled && steps < MANY_STEPS) {
    layout.step();
    steps += 1;
  }

  expect(steps).toBeLessThanOrEqual(61);
});

function settle(given: LayoutGiven): Float32Array {
  const layout = createLayout(given);
  for (let step = 0; step < MANY_STEPS && !layout.isSettled; step += 1) layout.step();
  expect(layout.isSettled).toBe(true);
  return layout.positions();
}

function distance(places: Float32Array, a: number, b: number): number {
  const of = (at: number) => places[at] ?? Number.NaN;
  return Math.hypot(of(2 * a) - of(2 * b), of(2 * a + 1) - of(2 * b + 1));
}
