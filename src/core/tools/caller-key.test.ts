import { expect, test } from 'vitest';
import { isSoundKey, MAX_KEY_CHARS } from '../reliability/idempotency/idempotency-key.ts';
import { findCallerKey } from './caller-key.ts';

const OWNERS = ['operator', 'user:7', `guest:${'é'.repeat(200)}`];

test('everybody may use keys of the promised length, and no two keys are kept as one', () => {
  const keys = ['k', 'k'.repeat(MAX_KEY_CHARS), `${'k'.repeat(MAX_KEY_CHARS - 1)}l`];

  const found = OWNERS.flatMap((owner) =>
    keys.map((idempotencyKey) => findCallerKey(undefined, { input: {}, idempotencyKey }, owner)),
  );

  const kept = found.map((key) => (key && 'kept' in key ? key.kept : ''));
  expect(kept.filter((key) => !isSoundKey(key))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
});
