import type { NotKept } from './idempotency-store.ts';

export type EncodedResult = { readonly text: string } | { readonly notKept: NotKept };

/** Deeper than results of tools are; a cycle ends here too. */
const MAX_DEPTH = 64;

/**
 * A result as text to keep, or why it is not kept. Only what comes back from JSON as it went in is kept: replaying
 * a `Date` as a string, or a `Map` as `{}`, would be the wrong data.
 */
export function encodeResult(value: unknown, maxBytes: number): EncodedResult {
  if (value === undefined) return { text: '' };
  if (!isPlainJson(value, 0)) return { notKept: 'not_serialisable' };
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) > maxBytes ? { notKept: 'too_large' } : { text };
}

export function decodeResult(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

/** Whether a value is JSON through and through. Members that are `undefined` count as absent. */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      return depth < MAX_DEPTH && hasPlainMembers(value, depth + 1);
    default:
      return false;
  }
}

function hasPlainMembers(value: object, depth: number): boolean {
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  if ('toJSON' in value) return false;
  return Object.values(value).every((item) => item === undefined || isPlainJson(item, depth));
}
