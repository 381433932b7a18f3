import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json.ts';
import { parseError } from '../../program/errors.ts';

const MAX_FIELD_CHARS = 512;
const MAX_SHOWN_CHARS = 140;
const NAME = /[A-Za-z0-9_$/:@-]+/y;
const QUOTED = /\["((?:[^"\\]|\\.)*)"\]/y;

/** `server.port`, and for names that hold dots `prices["openai/gpt-4.1"].input_per_million`. */
export function parseField(text: string, command: string): readonly string[] {
  const path: string[] = [];
  let at = 0;
  while (at < text.length && text.length <= MAX_FIELD_CHARS) {
    const quoted = matchAt(QUOTED, text, at);
    const from = path.length > 0 && text[at] === '.' ? at + 1 : at;
    const plain = path.length > 0 && from === at ? undefined : matchAt(NAME, text, from);
    const name = quoted === undefined ? plain?.[0] : unquote(quoted[1] ?? '');
    if (name === undefined) break;
    path.push(name);
    at = quoted === undefined ? from + name.length : at + quoted[0].length;
  }
  if (path.length > 0 && at === text.length) return path;
  throw parseError(`${JSON.stringify(text.slice(0, MAX_SHOWN_CHARS))} is not the path of a field`, {
    target: command,
    hint: 'write server.port, or prices["openai/gpt-4.1"] for a name that holds dots',
  });
}

export function showField(path: readonly string[]): string {
  return path
    .map((name, index) => {
      if (matchAt(NAME, name, 0)?.[0] !== name) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** Undefined when the document has nothing there. */
export function findValue(document: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  );
}

/** The merge patch that makes a field hold this value and nothing else; null removes it. */
export function toPatch(
  document: JsonObject,
  path: readonly string[],
  value: JsonValue,
): JsonObject {
  const member = toReplacement(findValue(document, path), value, path);
  return path.reduceRight<JsonValue>((below, name) => ({ [name]: below }), member) as JsonObject;
}

/** A merge patch adds to an object; what the new one does not have is removed by name. */
function toReplacement(
  old: JsonValue | undefined,
  next: JsonValue,
  path: readonly string[],
): JsonValue {
  if (!isJsonObject(next) || !isJsonObject(old)) return next;
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  const members = [...names].flatMap((name): [string, JsonValue][] => {
    const below = [...path, name];
    const [was, will] = [old[name], next[name]];
    if (will !== undefined) return [[name, toReplacement(was, will, below)]];
    // A stored key is shown blank, so whoever writes its provider anew could not have given it.
    return isProviderKey(below) ? [] : [[name, null]];
  });
  return Object.fromEntries(members);
}

export function isProviderKey(path: readonly string[]): boolean {
  return path.length === 3 && path[0] === 'providers' && path[2] === 'api_key';
}

/** JSON where it is JSON, else the text itself: `true`, `8080`, `["a"]`, `0.0.0.0`. */
export function parseValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function unquote(inner: string): string | undefined {
  const name = parseValue(`"${inner}"`);
  return typeof name === 'string' && name !== '' ? name : undefined;
}
