import { defined } from '../core/defined.ts';
import { RuntimeError } from '../core/errors.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { LogFields } from '../core/log.ts';
import { errnoOf } from '../platform/errno-of.ts';

const MAX_DEPTH = 6;
const MAX_STRING_CHARS = 4096;
const MAX_ITEMS = 100;
const MAX_CAUSES = 4;

/** Whatever somebody logs becomes bounded JSON: no cycle, getter or giant value may break or flood the log. */
export function toLogFields(fields: LogFields): JsonObject {
  try {
    return toJson(fields, 0) as JsonObject;
  } catch {
    return { log_fault: 'fields could not be read' };
  }
}

export function cutText(text: string): string {
  if (text.length <= MAX_STRING_CHARS) return text;
  return `${text.slice(0, MAX_STRING_CHARS)}… (${text.length} characters)`;
}

function toJson(value: unknown, depth: number): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
      return cutText(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : toJsonObject(value, depth);
    default:
      return undefined;
  }
}

function toJsonObject(value: object, depth: number): JsonValue | undefined {
  if (value instanceof Error) return describeError(value, 0);
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  if (depth >= MAX_DEPTH) return '(too deep)';
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return toJson(value.toJSON(), depth + 1);
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((item) => toJson(item, depth + 1) ?? null);
  }
  const members: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value).slice(0, MAX_ITEMS)) {
    const json = toJson(member, depth + 1);
    if (json !== undefined) members[key] = json;
  }
  return members;
}

function describeError(error: Error, causes: number): JsonObject {
  const code = errnoOf(error);
  const isExpected = error instanceof RuntimeError && error.code !== 'internal';
  return {
    type: error.name,
    ...defined({ code }),
    message: cutText(error.message),
    // A refusal explains itself; a stack is for faults nobody foresaw.
    ...(isExpected || error.stack === undefined ? {} : { stack: cutText(error.stack) }),
    ...(error.cause instanceof Error && causes < MAX_CAUSES
      ? { cause: describeError(error.cause, causes + 1) }
      : {}),
  };
}
