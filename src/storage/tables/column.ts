import { RuntimeError } from '../../core/errors.ts';

/**
 * How a value is stored. `text` is anybody's text, kept as a JSON string because one engine refuses NUL and the other's
 * driver cuts at it; equal texts stay equal. `id` is text of our own, kept plainly, which orders as it reads. `ordered`
 * is anybody's text that is paged by. `ms` is a moment, `int` any other whole number. `json` that can't be read is a
 * fault; `loose` is JSON whose reader knows what to do when it is null because somebody damaged it.
 */
export type Kind =
  | 'text'
  | 'id'
  | 'ordered'
  | 'json'
  | 'loose'
  | 'ms'
  | 'int'
  | 'real'
  | 'flag'
  | 'blob';

/** A member that may be undefined has a `?`, and NULL where it is. */
type KindName = Kind | `${Kind}?`;

type KindOf<Value> = [Value] extends [string]
  ? 'text' | 'id' | 'ordered'
  : [Value] extends [number]
    ? 'ms' | 'int' | 'real'
    : [Value] extends [boolean]
      ? 'flag'
      : [Value] extends [Uint8Array]
        ? 'blob'
        : 'json' | 'loose';

/** A kind for each member of a row, and one that fits its type. */
export type Kinds<Row extends object> = {
  readonly [Field in keyof Row]-?: undefined extends Row[Field]
    ? `${KindOf<Exclude<Row[Field], undefined>>}?`
    : KindOf<Row[Field]>;
};

export interface Column {
  /** Of the row, as in `createdAtMs`. */
  readonly field: string;
  /** Of the table, as in `created_at_ms`. */
  readonly name: string;
  readonly kind: Kind;
  readonly isOptional: boolean;
}

/** SQL words that are also good names of members. */
export type ColumnNames<Row extends object> = { readonly [Field in keyof Row]?: string };

export function toColumns<Row extends object>(
  kinds: Kinds<Row>,
  names: ColumnNames<Row> = {},
): Column[] {
  return Object.entries<KindName>(kinds).map(([field, kind]) => ({
    field,
    name: names[field as keyof Row] ?? toSnakeCase(field),
    kind: kind.replace('?', '') as Kind,
    isOptional: kind.endsWith('?'),
  }));
}

function toSnakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What both drivers take and give. SQLite has no truth values: there they are 1 and 0. */
export type Stored = string | number | boolean | Uint8Array | null;

export function encodeValue({ kind, field }: Column, value: unknown): Stored {
  if (value === undefined) return null;
  switch (kind) {
    case 'text':
    case 'json':
    case 'loose':
      return JSON.stringify(value);
    case 'ordered':
      return encodeOrdered(assertKept(field, value as string, isWellFormed));
    case 'id':
      return assertKept(field, value as string, isStorableId);
    default:
      return value as Stored;
  }
}

export function decodeValue({ kind, field }: Column, stored: Stored): unknown {
  if (stored === null) return undefined;
  switch (kind) {
    case 'text':
    case 'json':
      return parse(stored as string) ?? unreadable(field);
    case 'loose':
      return parse(stored as string);
    case 'ordered':
      return decodeOrdered(stored as string);
    case 'flag':
      return stored === true || stored === 1;
    default:
      return stored;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function unreadable(field: string): never {
  throw new RuntimeError('internal', `a stored ${field} can't be read`);
}

/**
 * One that could not have been stored is not there, and asking for it is no fault. Drivers put one and the same
 * character for every half of one: ids that differ in theirs would be one id.
 */
export function isStorableId(id: string): boolean {
  return !id.includes(NUL) && isWellFormed(id);
}

export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** What would come back as something else is refused. */
function assertKept(field: string, text: string, isKept: (text: string) => boolean): string {
  if (isKept(text)) return text;
  const rule = isWellFormed(text) ? 'not contain NUL' : 'be well-formed text';
  throw new RuntimeError('invalid_input', `${field} must ${rule}`);
}

const NUL = '\0';
const ESCAPE = '\u0001';
const ESCAPED_NUL = '\u0001\u0001';
const ESCAPED_ESCAPE = '\u0001\u0002';

/** Whole, and ordered as the original is: NUL is written as a pair of characters that sorts in its place. */
function encodeOrdered(text: string): string {
  return text.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll(NUL, ESCAPED_NUL);
}

function decodeOrdered(stored: string): string {
  return stored.replaceAll(ESCAPED_NUL, NUL).replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
