import { expect, test } from 'vitest';
import {
  boundsOf,
  centreOn,
  fitRect,
  panBy,
  seenRect,
  toScreen,
  toWorld,
  zoomAt,
} from './viewport.ts';

const SIZE = { width: 800, height: 600 };
const EYE = { x: 100, y: 50, scale: 2 };

test('screen and graph are two ways to say one place', () => {
  expect(toScreen(EYE, { x: 10, y: 20 })).toEqual({ x: 120, y: 90 });
  expect(toWorld(EYE, { x: 120, y: 90 })).toEqual({ x: 10, y: 20 });
});

test('zooming keeps what is under the pointer where it is', () => {
  const pointer = { x: 300, y: 200 };

  const nearer = zoomAt(EYE, pointer, 1.5);

  expect(nearer.scale).toBe(3);
  expect(toWorld(nearer, pointer)).toEqual(toWorld(EYE, pointer));
});

test('zooming has an end in both directions', () => {
  expect(zoomAt(EYE, { x: 0, y: 0 }, 1e9).scale).toBe(8);
  expect(zoomAt(EYE, { x: 0, y: 0 }, 1e-9).scale).toBe(0.01);
});

test('panning moves what is shown by as many pixels', () => {
  expect(toScreen(panBy(EYE, 7, -3), { x: 10, y: 20 })).toEqual({ x: 127, y: 87 });
});

test('fits a whole graph in the middle', () => {
  const eye = fitRect({ left: -1_000, top: -100, right: 1_000, bottom: 100 }, SIZE, 50);

  expect(eye.scale).toBeCloseTo(0.35);
  expect(toScreen(eye, { x: 0, y: 0 })).toEqual({ x: 400, y: 300 });
  expect(toScreen(eye, { x: -1_000, y: 0 }).x).toBeCloseTo(50);
});

test('shows a graph of one node at a size people expect, also where there is no room', () => {
  const rect = { left: 5, top: 5, right: 5, bottom: 5 };

  expect(fitRect(rect, SIZE, 50)).toEqual({ x: 390, y: 290, scale: 2 });
  expect(fitRect(rect, { width: 0, height: 0 }, 50).scale).toBeGreaterThan(0);
});

test('tells which part of the graph is seen', () => {
  expect(seenRect(EYE, SIZE)).toEqual({ left: -50, top: -25, right: 350, bottom: 275 });
});

test('brings a place into the middle without zooming', () => {
  const eye = centreOn(EYE, { x: 30, y: 40 }, SIZE);

  expect(eye.scale).toBe(2);
  expect(toScreen(eye, { x: 30, y: 40 })).toEqual({ x: 400, y: 300 });
});

test('knows how far places reach, and that none reach nowhere', () => {
  expect(boundsOf(new Float32Array([3, -4, -1, 9]))).toEqual({
    left: -1,
    top: -4,
    right: 3,
    bottom: 9,
  });
  expect(boundsOf(new Float32Array())).toEqual({ left: 0, top: 0, right: 0, bottom: 0 });
});
