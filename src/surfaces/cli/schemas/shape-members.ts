import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, toJsonValue } from '../../../core/json.ts';
import type { CommandSchema } from './command-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema of what `/api/admin` and `/v1` answer with too, so that nothing has to be written down twice. */
export function toSchema(shape: z.ZodType): JsonSchema {
  const given = toJsonValue(z.toJSONSchema(shape, { unrepresentable: 'any' }));
  const schema = isJsonObject(given) ? given : {};
  const definitions = isJsonObject(schema['$defs']) ? schema['$defs'] : {};
  const inlined = inline(schema, definitions);
  return isJsonObject(inlined) ? inlined : {};
}

/** An object's members, those that are always there apart from the rest. */
export function toMembers(shape: z.ZodType): Required<Pick<CommandSchema, 'fields' | 'optional'>> {
  const { properties, required } = toSchema(shape);
  const always = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(isJsonObject(properties) ? properties : {}) as [
    string,
    JsonSchema,
  ][];
  return {
    fields: Object.fromEntries(members.filter(([name]) => always.has(name))),
    optional: Object.fromEntries(members.filter(([name]) => !always.has(name))),
  };
}

/** Of no meaning here: ids of OpenAPI components, and a ban on members that a later version may add. */
const LEFT_OUT = new Set(['$schema', '$defs', 'id', 'examples', 'propertyNames']);
/** The bounds of every integer in JavaScript. */
const SAFE = new Set<JsonValue>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

function inline(value: JsonValue, definitions: JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => inline(item, definitions));
  if (!isJsonObject(value)) return value;
  if (typeof value['$ref'] === 'string') {
    const found = definitions[value['$ref'].replace('#/$defs/', '')];
    // What refers to itself is any JSON value.
    const isAnyJson = found === undefined || JSON.stringify(found).includes(value['$ref']);
    return isAnyJson ? {} : inline(found, definitions);
  }
  const kept = Object.entries(value).filter(
    ([keyword, rule]) =>
      !LEFT_OUT.has(keyword) &&
      !(keyword === 'additionalProperties' && rule === false) &&
      !SAFE.has(rule),
  );
  return Object.fromEntries(
    kept.map(([keyword, rule]) => [
      keyword,
      keyword === 'properties' && isJsonObject(rule)
        ? inlineMembers(rule, definitions)
        : inline(rule, definitions),
    ]),
  );
}

/** Names of members are not keywords: one may be called `id`. */
function inlineMembers(members: JsonObject, definitions: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, inline(schema, definitions)]),
  );
}
