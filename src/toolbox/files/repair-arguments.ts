import type { JsonObject, JsonValue } from '../../core/json.ts';

const PATH_ALIASES = ['file', 'filename', 'target', 'name'] as const;

/** Moves the first alias that is present to `field`, unless that is there already. */
export function adoptAlias(
  input: JsonObject,
  field: string,
  aliases: readonly string[],
): JsonObject {
  if (input[field] !== undefined) return input;
  const alias = aliases.find((name) => input[name] !== undefined);
  if (alias === undefined) return input;
  const { [alias]: value, ...rest } = input;
  return { ...rest, [field]: value as JsonValue };
}

/** Gives `path` its own name and takes off the white space, quotes and backticks that models wrap it in. */
export function repairPath(input: JsonObject): JsonObject {
  return unquoteField(adoptAlias(input, 'path', PATH_ALIASES), 'path');
}

const CONTENT_ALIASES = ['text', 'body', 'code', 'value', 'data', 'newText'];

/** For tools that take a path and a text. */
export function repairContent(input: JsonObject): JsonObject {
  const named = adoptAlias(repairPath(input), 'content', CONTENT_ALIASES);
  const { path, content } = named;
  if (typeof path !== 'string' || content !== undefined) return named;
  // Some models put both into one argument: "notes.txt, the text".
  const comma = path.indexOf(',');
  if (comma <= 0) return named;
  const split = { path: path.slice(0, comma), content: path.slice(comma + 1).trimStart() };
  return repairPath({ ...named, ...split });
}

export function unquoteField(input: JsonObject, field: string): JsonObject {
  const value = input[field];
  return typeof value === 'string' ? { ...input, [field]: unquote(value) } : input;
}

const FLAG_WORDS = new Map([
  ['true', true],
  ['false', false],
]);

/** Models write booleans as words. Anything else is left for validation to refuse. */
export function repairFlags(input: JsonObject, fields: readonly string[]): JsonObject {
  const repaired: Record<string, JsonValue> = { ...input };
  for (const field of fields) {
    const value = input[field];
    const flag = typeof value === 'string' ? FLAG_WORDS.get(value.trim().toLowerCase()) : undefined;
    if (flag !== undefined) repaired[field] = flag;
  }
  return repaired;
}

const QUOTED = /^(["'`])(.+)\1$/s;

function unquote(path: string): string {
  let bare = path.trim();
  for (let found = QUOTED.exec(bare); found !== null; found = QUOTED.exec(bare)) {
    bare = (found[2] ?? '').trim();
  }
  return bare;
}
