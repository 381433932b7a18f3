import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './json.ts';

test('keys are sorted at every depth and undefined members are left out', () => {
  expect(canonicalJson({ b: [{ z: 1, a: null }], a: undefined, é: 'x' })).toBe(
    '{"b":[{"a":null,"z":1}],"é":"x"}',
  );
});

test('the text parses back to the same value, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const reversed = Object.fromEntries(Object.entries(record).reverse());

      expect(canonicalJson(reversed)).toBe(canonicalJson(record));
      expect(JSON.parse(canonicalJson(record))).toEqual(JSON.parse(JSON.stringify(record)));
    }),
  );
});

test.each([3, 24, 25, 200])('%i keys are sorted as text is', (count) => {
  const keys = Array.from(
    { length: count },
    (_, index) => `k${(index * 7919) % 1009}\u00e9${index}`,
  );

  const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 1])));

  expect(Object.keys(JSON.parse(text))).toEqual([...keys].sort());
});
