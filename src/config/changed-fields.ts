import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../core/json.ts';

/** Entries of these maps are told by their name alone: what is in one is somebody else's business, or secret. */
const OPAQUE = /^mcpServers\.[^.]+/;

/** Paths of the fields that differ, sorted. Lists are compared whole. */
export function listChangedFields(before: unknown, after: unknown): string[] {
  return collect(before, after, '').sort();
}

function collect(before: unknown, after: unknown, path: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (OPAQUE.test(path) || !(isJsonObject(before) || isJsonObject(after))) return [path];
  const [left, right] = [toMembers(before), toMembers(after)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  // An empty object in place of nothing has no members to name.
  if (names.length === 0) return [path];
  return names.flatMap((name) =>
    collect(left[name], right[name], path === '' ? name : `${path}.${name}`),
  );
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
