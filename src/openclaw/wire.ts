import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** What may be read of a frame that somebody else wrote: nothing in it has to be there, or of the right kind. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Beyond any count, time or amount that somebody means. */
const MOST = 1e15;

export function countOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MOST ? value : undefined;
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The first of these members that is a text. */
export function firstText(from: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(from[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}
