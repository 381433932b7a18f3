import { RuntimeError } from '../../../../src/core/errors.ts';
import { isJsonObject } from '../../../../src/core/json.ts';

/** What a field is to become. */
export interface Change {
  /** What it was when it was begun; null where nothing was set. */
  readonly base: unknown;
  /** Absent while the JSON that is typed is not whole. */
  readonly value?: unknown;
  /** JSON as it is typed, of a field that has no input of its own. */
  readonly text?: string;
}

export type Changes = Readonly<Record<string, Change>>;

/** The part of a JSON Schema that this page can make an input of. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

type Json = Readonly<Record<string, unknown>>;

export function readPath(document: Json, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document);
}

/** What the schema says of a field; empty where it says nothing that an input could be made of. */
export function findSchema(schema: Json, path: string): FieldSchema {
  const found = path.split('.').reduce<Json | undefined>((at, name) => {
    const properties = resolve(schema, at)?.['properties'] as Json | undefined;
    return properties?.[name] as Json | undefined;
  }, schema);
  return (resolve(schema, found) ?? {}) as FieldSchema;
}

function resolve(schema: Json, at: Json | undefined): Json | undefined {
  const reference = at?.['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return at;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], schema) as
    | Json
    | undefined;
}

/** Changes by path, as the merge patch that says only what is different from the document. */
export function toPatch(changes: Changes, document: Json): Json {
  const patch: Record<string, unknown> = {};
  for (const [path, { value }] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() ?? path;
    let at = patch;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = toDifference(readPath(document, path), value);
  }
  return patch;
}

/** The server merges maps, so an entry that is only left out would stay: what is to go has to be null. */
function toDifference(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const kept = Object.entries(after).flatMap(([name, value]) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    return isSame(old, value) ? [] : [[name, toDifference(old, value)] as const];
  });
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...kept]);
}

/** Whether somebody else changed the field since: then neither value is thrown away unseen. */
export function isConflict(change: Change, now: unknown): boolean {
  return !isSame(change.base, now ?? null) && !isSame(change.value, now);
}

export function isWhole({ value }: Change): boolean {
  return value !== undefined;
}

/** Whether a browser may remember what is typed: maps and addresses can hold tokens and passwords. */
export function isKeepable(schema: FieldSchema, path: string): boolean {
  return ![schema.type].flat().includes('object') && !/(^|[._])url$/.test(path);
}

/** Whether it is a field of the document, and not what the entries of a map or a list are made of. */
export function isField(path: string): boolean {
  return !/[<[]/.test(path);
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What the server has against which field. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RuntimeError)) return {};
  const told = error.details?.['field_errors'];
  if (!Array.isArray(told)) return {};
  return Object.fromEntries(
    told.map(({ path, message }: { readonly path: string; readonly message: string }) => [
      path,
      message,
    ]),
  );
}
