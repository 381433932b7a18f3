import type { JsonObject, JsonValue } from '../../core/json.ts';

export const PATH_ALIASES = ['file', 'filename', 'target', 'name'] as const;

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
  const named = adoptAlias(input, 'path', PATH_ALIASES);
  return typeof named['path'] === 'string' ? { ...named, path: unquote(named['path']) } : named;
}

const QUOTED = /^(["'`])(.+)\1$/s;

function unquote(path: string): string {
  let bare = path.trim();
  for (let found = QUOTED.exec(bare); found !== null; found = QUOTED.exec(bare)) {
    bare = (found[2] ?? '').trim();
  }
  return bare;
}
