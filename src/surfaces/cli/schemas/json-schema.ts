import type { JsonObject } from '../../../core/json.ts';

/** JSON Schema 2020-12, written down as the data it is: no schema library is loaded to print one. */
export type JsonSchema = JsonObject;

export type Members = Readonly<Record<string, JsonSchema>>;

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const number: JsonSchema = { type: 'number' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const anything: JsonSchema = {};
/** An object whose members are somebody else's. */
export const anyObject: JsonSchema = { type: 'object', additionalProperties: true };
export const time: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
};
export const texts: JsonSchema = { type: 'array', items: text };

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function oneOf(...values: string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

export function object(required: Members, optional: Members = {}): JsonSchema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  };
}
