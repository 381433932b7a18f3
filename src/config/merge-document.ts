import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { configSchema } from './schema/schema.ts';
import { findNamesBelow } from './schema/schema-fields.ts';

/**
 * The stored document with the fields of another in place of its own. A field that is left out stays, so that a form
 * that knows half of a section can't reset the other half; maps and lists are taken as they are given. A default that
 * was not stored is not stored now: it would hold on when a later version has a better one.
 */
export function mergeDocument(stored: JsonObject, given: JsonObject): JsonObject {
  return mergeAt(stored, given, []);
}

function mergeAt(stored: JsonObject, given: JsonObject, path: readonly string[]): JsonObject {
  const members = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(given)) {
    const below = [...path, name];
    const old = members.get(name);
    const next = mergeMember(old, value, below);
    if (old !== undefined || !isDefault(next, below)) members.set(name, next);
  }
  // `fromEntries` defines members instead of assigning them, so `__proto__` stays a plain member.
  return Object.fromEntries(members);
}

function mergeMember(
  old: JsonValue | undefined,
  given: JsonValue,
  path: readonly string[],
): JsonValue {
  const isSection = isJsonObject(given) && findNamesBelow(path) !== undefined;
  return isSection ? mergeAt(isJsonObject(old) ? old : {}, given, path) : given;
}

function isDefault(value: JsonValue, path: readonly string[]): boolean {
  if (isJsonObject(value) && findNamesBelow(path) !== undefined)
    return Object.keys(value).length === 0;
  defaults ??= configSchema.parse({});
  const fallback = path.reduce<unknown>(
    (at, name) => (isJsonObject(at) ? at[name] : undefined),
    defaults,
  );
  return isDeepStrictEqual(value, fallback);
}

let defaults: unknown;

/** RFC 7396. */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonObject): JsonObject {
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else if (isJsonObject(value)) members.set(name, applyMergePatch(members.get(name), value));
    else members.set(name, value);
  }
  return Object.fromEntries(members);
}
