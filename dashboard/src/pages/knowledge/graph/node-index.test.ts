import { expect, test } from 'vitest';
import { createNodeIndex } from './node-index.ts';

const PLACES = new Float32Array([0, 0, 100, 0, 108, 0, 0, 100]);

test('hits the node under the pointer, and nothing between nodes', () => {
  const index = createNodeIndex(PLACES, [5, 5, 5, 5]);

  expect(index.findAt({ x: 3, y: 3 }, 0)).toBe(0);
  expect(index.findAt({ x: 50, y: 50 }, 0)).toBeUndefined();
});

test('a pointer that is a little off still hits', () => {
  const index = createNodeIndex(PLACES, [5, 5, 5, 5]);

  expect(index.findAt({ x: 0, y: 108 }, 0)).toBeUndefined();
  expect(index.findAt({ x: 0, y: 108 }, 4)).toBe(3);
});

test('of two the one whose rim is nearer, not the one whose middle is', () => {
  const index = createNodeIndex(PLACES, [5, 1, 12, 5]);

  expect(index.findAt({ x: 103, y: 0 }, 6)).toBe(2);
});

test('finds what is inside a part of the graph', () => {
  const index = createNodeIndex(PLACES, [5, 5, 5, 5]);

  const inside = index.findInside({ left: 90, top: -10, right: 110, bottom: 10 });

  expect([...inside].sort()).toEqual([1, 2]);
});

test('finds each of nodes at one place, and nothing among none', () => {
  const stacked = createNodeIndex(new Float32Array([1, 1, 1, 1, 1, 1]), [2, 2, 2]);

  expect(stacked.findInside({ left: 0, top: 0, right: 2, bottom: 2 })).toHaveLength(3);
  expect(createNodeIndex(new Float32Array(), []).findAt({ x: 0, y: 0 }, 10)).toBeUndefined();
});

test('looks at few of twenty thousand nodes', () => {
  const side = 142;
  const places = Float32Array.from({ length: 2 * side * side }, (_, at) => {
    const node = at >> 1;
    return 10 * (at % 2 === 0 ? node % side : Math.floor(node / side));
  });
  const index = createNodeIndex(places, Array(side * side).fill(4));

  expect(index.findAt({ x: 703, y: 501 }, 2)).toBe(50 * side + 70);
  expect(index.findInside({ left: 0, top: 0, right: 95, bottom: 95 })).toHaveLength(100);
});
