import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { isHarmless } from './harmless-value.ts';
import { replaceKnown, watchSecrets } from './known-secrets.ts';
import { type KnownSecrets, REDACTED, type Redactor } from './redact.ts';
import { replaceSpans, scanSecrets } from './scan-secrets.ts';
import { findSecrecy, type Secrecy } from './secret-names.ts';

/** What lies deeper is replaced unread: no honest payload nests like this. */
export const MAX_DEPTH = 100;
/** No rule matches anything shorter. */
const MIN_TEXT_CHARS = 5;
const MAX_CACHED_NAMES = 4_096;
const MAX_CACHED_NAME_CHARS = 64;

export interface RedactorOptions {
  /** Values that are secret wherever they stand. Asked before every use, so that a new secret counts at once. */
  readonly secrets?: () => readonly string[];
}

interface Name {
  readonly secrecy: Secrecy | undefined;
  readonly text: string;
}

interface Walk {
  readonly known: KnownSecrets;
  readonly trail: (string | number)[];
  readonly paths: string[];
  readonly root: string;
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const knownNow = watchSecrets(options.secrets ?? (() => []));
  const names = new Map<string, Name>();
  let namesKnown = knownNow();

  /** Names repeat from event to event; what they mean is worked out once. One that changes is never kept. */
  function nameOf(key: string, known: KnownSecrets): Name {
    if (known !== namesKnown) {
      names.clear();
      namesKnown = known;
    }
    const cached = names.get(key);
    if (cached !== undefined) return cached;
    const name = { secrecy: findSecrecy(key), text: redactString(key, known) };
    if (key.length <= MAX_CACHED_NAME_CHARS && name.text === key) {
      if (names.size >= MAX_CACHED_NAMES) names.clear();
      names.set(key, name);
    }
    return name;
  }

  function walk(value: JsonValue, isSecret: boolean, state: Walk): JsonValue {
    if (typeof value === 'string') {
      const text = isSecret ? concealString(value) : redactString(value, state.known);
      if (text !== value) state.paths.push(toPath(state));
      return text === value ? value : text;
    }
    if (typeof value === 'number') return isSecret ? conceal(state) : value;
    if (value === null || typeof value === 'boolean') return value;
    if (state.trail.length >= MAX_DEPTH) return conceal(state);
    if (isJsonObject(value)) return walkObject(value, isSecret, state);
    return walkArray(value, isSecret, state);
  }

  function walkArray(items: readonly JsonValue[], isSecret: boolean, state: Walk): JsonValue {
    let copy: JsonValue[] | undefined;
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index] ?? null;
      state.trail.push(index);
      const next = walk(item, isSecret, state);
      state.trail.pop();
      if (next === item) continue;
      copy ??= items.slice();
      copy[index] = next;
    }
    return copy ?? items;
  }

  function walkObject(object: JsonObject, isSecret: boolean, state: Walk): JsonValue {
    let changed: Map<string, { key: string; value: JsonValue }> | undefined;
    for (const key of Object.keys(object)) {
      const member = object[key] ?? null;
      const name = nameOf(key, state.known);
      state.trail.push(name.text);
      if (name.text !== key) state.paths.push(toPath(state));
      const next = walk(member, isSecret || isSecretMember(object, key, name), state);
      state.trail.pop();
      if (next === member && name.text === key) continue;
      changed ??= new Map();
      changed.set(key, { key: name.text, value: next });
    }
    return changed === undefined ? object : copyObject(object, changed);
  }

  /** `{name: "api_key", value: "…"}`, as in lists of headers and environment variables, counts like a member. */
  function isSecretMember(object: JsonObject, key: string, name: Name): boolean {
    if (name.secrecy !== undefined) return true;
    if (key !== 'value') return false;
    const label = object['name'] ?? object['key'];
    return typeof label === 'string' && findSecrecy(label) === 'value';
  }

  return {
    redact(value, path) {
      const state: Walk = { known: knownNow(), trail: [], paths: [], root: path };
      const redacted = walk(value, false, state);
      return { value: redacted as typeof value, paths: state.paths };
    },
    redactText: (text) => redactString(text, knownNow()),
    knownSecrets: knownNow,
  };
}

function redactString(text: string, known: KnownSecrets): string {
  if (text.length < MIN_TEXT_CHARS) return text;
  const unknown = replaceKnown(text, known);
  const scan = scanSecrets(unknown, 0, true);
  return scan.spans.length === 0 ? unknown : replaceSpans(unknown, 0, scan);
}

function concealString(value: string): string {
  return isHarmless(value) ? value : REDACTED;
}

function conceal(state: Walk): string {
  state.paths.push(toPath(state));
  return REDACTED;
}

/** Members keep their order. Two names that redaction made equal stay two members. */
function copyObject(
  object: JsonObject,
  changed: ReadonlyMap<string, { readonly key: string; readonly value: JsonValue }>,
): JsonObject {
  const copy = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(object)) {
    const next = changed.get(key) ?? { key, value };
    let name = next.key;
    for (let copies = 2; copy.has(name); copies += 1) name = `${next.key} ${copies}`;
    copy.set(name, next.value);
  }
  // `fromEntries` defines members instead of assigning them, so `__proto__` stays a plain member.
  return Object.fromEntries(copy);
}

const PLAIN_NAME = /^[A-Za-z0-9_$-]+$|^\[REDACTED\]$/;

function toPath(state: Walk): string {
  let path = state.root;
  for (const step of state.trail) {
    if (typeof step === 'number') path += `[${step}]`;
    else path += PLAIN_NAME.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  }
  return path;
}
