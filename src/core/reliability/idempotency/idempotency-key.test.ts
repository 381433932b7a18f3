import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSoundKey, toKeyPrefix, toStoredKey } from './idempotency-key.ts';
import { deriveKey, digestPayload } from './key-digests.ts';

const facts = {
  toolId: 'mail.send',
  payload: { to: 'ada', cc: ['bob'] },
  callerId: 'run:1',
  windowMs: 3_600_000,
  atMs: 1_800_000_000_000,
};

test('the order of members does not matter, the order of items does', () => {
  const key = deriveKey(facts);

  expect(deriveKey({ ...facts, payload: { cc: ['bob'], to: 'ada' } })).toBe(key);
  expect(deriveKey({ ...facts, payload: { to: 'ada', cc: ['bob'], bcc: undefined } })).toBe(key);
  expect(digestPayload({ list: [1, 2] })).not.toBe(digestPayload({ list: [2, 1] }));
  expect(digestPayload({ zero: -0 })).toBe(digestPayload({ zero: 0 }));
  expect(digestPayload({ text: 'a  b' })).not.toBe(digestPayload({ text: 'a b' }));
});

test('every fact makes another key', () => {
  const keys = [
    facts,
    { ...facts, toolId: 'mail.sent' },
    { ...facts, payload: { to: 'bob' } },
    { ...facts, callerId: 'run:2' },
    { ...facts, atMs: facts.atMs + 3_600_000 },
  ].map(deriveKey);

  expect(new Set(keys).size).toBe(5);
});

test('facts do not run together', () => {
  const one = deriveKey({ ...facts, toolId: 'a', callerId: 'bc' });
  const two = deriveKey({ ...facts, toolId: 'ab', callerId: 'c' });

  expect(one).not.toBe(two);
});

test('values that only become JSON keep their differences', () => {
  expect(digestPayload({ at: new Date(1) })).not.toBe(digestPayload({ at: new Date(2) }));
});

test('a stored key belongs to exactly one tool and key', () => {
  expect(toStoredKey('mail:send', 'a:b%')).toBe('idemp:mail%3Asend:a%3Ab%25');
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), {
        minLength: 4,
        maxLength: 4,
      }),
      (parts) => {
        const [a, b, c, d] = parts as [string, string, string, string];
        const isSame = a === c && b === d;
        expect(toStoredKey(a, b) === toStoredKey(c, d)).toBe(isSame);
        expect(toStoredKey(a, b).startsWith(toKeyPrefix(c))).toBe(a === c);
      },
    ),
  );
});

test('keys that have no bytes of their own, or too many, are refused', () => {
  expect(['', '\ud800', 'x\udc00', 'k'.repeat(257)].map(isSoundKey)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(['k', 'k'.repeat(256), '😀', 'ключ'].map(isSoundKey)).toEqual([true, true, true, true]);
});
