import { createHash } from 'node:crypto';
import { RuntimeError } from '../../errors.ts';
import { canonicalJson, toJsonValue } from '../../json.ts';
import { isPlainJson } from './stored-result.ts';

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

/** A stored key as it is told to observers. */
export function hashKey(storedKey: string): string {
  return sha256(storedKey).slice(0, 16);
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
