import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUnitLength } from './unit-vector.ts';
import { decodeVectors, encodeVectors } from './vector-bytes.ts';

const DIMENSIONS = 24;
const float = fc.float({ min: -1, max: 1, noNaN: true });
const vector = fc
  .array(float, { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((values) => toUnitLength(Float32Array.from(values)));

test('a vector comes back within half a step of what it was, and the second time as it is', () => {
  fc.assert(
    fc.property(fc.array(vector, { maxLength: 4 }), (vectors) => {
      const decoded = decodeVectors(encodeVectors(vectors), DIMENSIONS) ?? [];
      const again = decodeVectors(encodeVectors(decoded), DIMENSIONS) ?? [];

      expect(decoded).toHaveLength(vectors.length);
      decoded.forEach((one, index) => {
        const original = vectors[index] ?? new Float32Array();
        const step = Math.max(...Array.from(original, Math.abs), 1e-30) / 127;
        one.forEach((value, place) => {
          expect(Math.abs(value - (original[place] ?? 0))).toBeLessThanOrEqual(step * 0.501);
          expect(again[index]?.[place]).toBeCloseTo(value, 6);
        });
      });
    }),
  );
});

test('bytes of another length than the vectors have are not read', () => {
  expect(decodeVectors(new Uint8Array(DIMENSIONS), DIMENSIONS)).toBeUndefined();
  expect(decodeVectors(new Uint8Array(8), 0)).toBeUndefined();
  expect(decodeVectors(new Uint8Array(), DIMENSIONS)).toEqual([]);
});
