export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON with sorted keys and no white space: equal values give equal text, on every engine and in every language.
 * `undefined` members are left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index += 1) {
      text += index === 0 ? canonicalJson(value[index]) : `,${canonicalJson(value[index])}`;
    }
    return `${text}]`;
  }
  const record = value as Record<string, unknown>;
  let text = '';
  for (const key of sortedKeys(record)) {
    const member = record[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${quoteKey(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Above this many keys, a sort that copies is the cheaper one. */
const MAX_INSERTED_KEYS = 24;

/** Most objects have few keys, which `sort` would copy twice: a tenth of all memory that a run took. */
function sortedKeys(record: Record<string, unknown>): string[] {
  const keys = Object.keys(record);
  if (keys.length > MAX_INSERTED_KEYS) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let place = index;
    for (; place > 0 && (keys[place - 1] as string) > key; place -= 1) {
      keys[place] = keys[place - 1] as string;
    }
    keys[place] = key;
  }
  return keys;
}

const MAX_QUOTED_KEYS = 2_000;
const MAX_QUOTED_KEY_CHARS = 40;
const quotedKeys = new Map<string, string>();

/** The names of members are the same few from event to event. */
function quoteKey(key: string): string {
  const known = quotedKeys.get(key);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(key);
  if (key.length <= MAX_QUOTED_KEY_CHARS && quotedKeys.size < MAX_QUOTED_KEYS) {
    quotedKeys.set(key, quoted);
  }
  return quoted;
}

/** A deep copy that holds JSON only: what cannot be represented is dropped here and not at some later write. */
export function toJsonValue(value: unknown): JsonValue {
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as JsonValue);
}
