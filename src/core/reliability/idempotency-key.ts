import { createHash } from 'node:crypto';
import { RuntimeError } from '../errors.ts';
import { canonicalJson, toJsonValue } from '../json.ts';
import { isPlainJson } from './stored-result.ts';

export const MAX_KEY_CHARS = 256;

/** A surrogate without its partner has no bytes of its own: two different keys would be stored as one. */
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export function isSoundKey(key: string): boolean {
  return key.length > 0 && key.length <= MAX_KEY_CHARS && !LONE_SURROGATE.test(key);
}

/** The payload's identity: equal for equal values, whatever the order of their members. */
export function digestPayload(payload: unknown): string {
  return sha256(canonical(payload));
}

export interface KeyFacts {
  readonly toolId: string;
  readonly payload: unknown;
  /** `run:<id>` for calls of a run, so that two runs never share an effect; else the principal. */
  readonly callerId: string;
  readonly windowMs: number;
  readonly atMs: number;
}

/** The key of a call that came without one. Hashed as JSON, so that no two sets of facts run together. */
export function deriveKey({ toolId, payload, callerId, windowMs, atMs }: KeyFacts): string {
  const window = Math.floor(atMs / windowMs);
  return sha256(canonicalJson([toolId, canonical(payload), callerId, window]));
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

/** What is not JSON, such as a date that a schema made of a string, counts as the JSON it becomes. */
function canonical(payload: unknown): string {
  if (isPlainJson(payload)) return canonicalJson(payload);
  try {
    return canonicalJson(toJsonValue(payload));
  } catch (cause) {
    throw new RuntimeError('tool_input_invalid', 'the payload cannot be written as JSON', {
      cause,
    });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
