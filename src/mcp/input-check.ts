import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** Patterns of a stranger can be made to run for ever; the server checks them itself. */
const SKIPPED = new Set(['pattern', 'patternProperties', 'format', '$schema', '$id', 'default']);

/**
 * What can be checked here before a call leaves: shapes and types. A schema we can't read checks nothing, since the
 * server has the last word anyway. Input passes as it is, never altered. The check is made on first use: a server may
 * have a thousand tools.
 */
export function createInputCheck(schema: JsonObject): z.ZodType<JsonObject> {
  let check: z.ZodType | undefined;
  return z
    .custom<JsonObject>(isJsonObject, { error: 'expected an object' })
    .superRefine((input, ctx) => {
      check ??= toCheck(schema);
      const parsed = check.safeParse(input);
      for (const issue of parsed.error?.issues ?? []) {
        ctx.addIssue({ code: 'custom', path: [...issue.path], message: issue.message });
      }
    });
}

function toCheck(schema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(withoutSkipped(schema, false) as Record<string, unknown>);
  } catch {
    return z.unknown();
  }
}

/** Below `properties` a key is the name of a property and never a keyword. */
function withoutSkipped(value: JsonValue, namesProperties: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((member) => withoutSkipped(member, false));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => namesProperties || !SKIPPED.has(key))
      .map(([key, member]) => [
        key,
        withoutSkipped(member, !namesProperties && (key === 'properties' || key === '$defs')),
      ]),
  );
}
