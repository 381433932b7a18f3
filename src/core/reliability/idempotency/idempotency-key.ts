import { RuntimeError } from '../../errors.ts';

export const MAX_KEY_CHARS = 256;

/** A surrogate without its partner has no bytes of its own: two different keys would be stored as one. */
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export function isSoundKey(key: string): boolean {
  return key.length > 0 && key.length <= MAX_KEY_CHARS && !LONE_SURROGATE.test(key);
}

/** Both parts are escaped, so that a colon in one cannot stand in for the border between them. */
export function toStoredKey(toolId: string, key: string): string {
  if (!isSoundKey(key)) {
    throw new RuntimeError(
      'invalid_input',
      `an idempotency key has 1 to ${MAX_KEY_CHARS} well-formed characters`,
    );
  }
  return `${toKeyPrefix(toolId)}${encodeURIComponent(key)}`;
}

/** What all stored keys of a tool begin with. */
export function toKeyPrefix(toolId: string): string {
  return `idemp:${encodeURIComponent(toolId)}:`;
}
