import { expect, test } from 'vitest';
import { openDotKernel } from './dot-kernel.ts';
import { NO_COSINE, VectorTable } from './vector-table.ts';

/** Unit vectors that are the same every time. */
function createVectors(count: number, dimensions: number): Float32Array[] {
  let state = 12_345;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

function exact(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

const KERNELS = [
  ['with SIMD', openDotKernel],
  ['plainly', () => undefined],
] as const;

test('there is a kernel on this machine', () => {
  expect(openDotKernel()).toBeDefined();
});

test.each(KERNELS)('finds the nearest as exact floats do, %s', (_, open) => {
  const [dimensions, count] = [100, 4_500];
  const vectors = createVectors(count + 10, dimensions);
  const questions = vectors.splice(count);
  const kernel = open();
  const table = kernel ? new VectorTable(dimensions, kernel) : plainTable(dimensions);
  vectors.forEach((vector, slot) => void table.add(slot, vector));
  const visible = new Uint8Array(count).fill(1);
  let kept = 0;
  for (let index = 0; index < questions.length; index += 2) {
    const pair = questions.slice(index, index + 2);
    const forms = pair.map(() => new Float32Array(count).fill(NO_COSINE));
    table.scan(pair, visible, { forms, best: new Float32Array(count).fill(NO_COSINE) });
    pair.forEach((question, at) => {
      const nearest = topTen(vectors.map((vector) => exact(vector, question)));
      const found = new Set(topTen([...(forms[at] ?? [])]));
      kept += nearest.filter((slot) => found.has(slot)).length;
    });
  }

  expect(kept / (questions.length * 10)).toBeGreaterThanOrEqual(0.99);
});

test.each(KERNELS)('tells vectors apart that int8 makes equal, %s', (_, open) => {
  const dimensions = 64;
  const [centre = new Float32Array()] = createVectors(1, dimensions);
  const vectors = createVectors(300, dimensions).map((noise) =>
    centre.map((value, at) => value + (noise[at] ?? 0) * 0.01),
  );
  const [question = new Float32Array()] = vectors;
  const kernel = open();
  const table = kernel ? new VectorTable(dimensions, kernel) : plainTable(dimensions);
  vectors.forEach((vector, slot) => void table.add(slot, vector));
  const best = new Float32Array(vectors.length).fill(NO_COSINE);

  table.scan([question], new Uint8Array(vectors.length).fill(1), { forms: [best], best });

  const nearest = topTen(vectors.map((vector) => exact(vector, question)));
  const found = topTen([...best]);
  expect(nearest.filter((slot) => found.includes(slot)).length).toBeGreaterThanOrEqual(9);
  for (const slot of nearest.filter((one) => found.includes(one))) {
    expect(best[slot]).toBeCloseTo(exact(vectors[slot] as Float32Array, question), 4);
  }
});

/** `undefined` as an argument would mean the default. */
function plainTable(dimensions: number): VectorTable {
  const api = Reflect.get(globalThis, 'WebAssembly');
  Reflect.deleteProperty(globalThis, 'WebAssembly');
  try {
    return new VectorTable(dimensions);
  } finally {
    Reflect.set(globalThis, 'WebAssembly', api);
  }
}

function topTen(scores: readonly number[]): number[] {
  return scores
    .map((score, slot) => ({ score, slot }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ slot }) => slot);
}

test('a slot counts by its best vector; what is not seen or was removed does not count', () => {
  const vectors = createVectors(30, 20);
  const table = new VectorTable(20);
  const places = vectors.map((vector, index) => table.add(index % 3, vector));
  places.filter((_, index) => index % 3 === 2).forEach((place) => void table.remove(place));
  const question = vectors[3] as Float32Array;
  const best = new Float32Array(3).fill(NO_COSINE);

  const seen = table.scan([question], Uint8Array.of(1, 0, 1), { forms: [best], best });

  expect(best[0]).toBeCloseTo(1, 2);
  expect([...best.slice(1)]).toEqual([NO_COSINE, NO_COSINE]);
  expect(seen).toBe(1);
  expect(table.size).toBe(20);
  expect(table.add(1, question)).toBe(places[29]);
});

test('is not upset by what is no number', () => {
  const table = new VectorTable(4);
  const best = new Float32Array(2).fill(NO_COSINE);
  table.add(0, Float32Array.of(Number.NaN, 1, Number.POSITIVE_INFINITY, 0));
  table.add(1, new Float32Array(4));

  table.scan([Float32Array.of(Number.NaN, 0, 0, 1)], Uint8Array.of(1, 1), { forms: [best], best });

  expect([...best]).toEqual([0, 0]);
});
