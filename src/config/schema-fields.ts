import { z } from 'zod';
import { configSchema } from './schema.ts';

/** One settable field of the config, for documents, error messages and overrides. */
export interface SchemaField {
  /** Dotted, as in `server.port`; the key of a map is written `<provider/name>`. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly description: string;
  /** Undefined when the field has none and stays unset. */
  readonly defaultValue: unknown;
}

export function listFields(): readonly SchemaField[] {
  fields ??= collect(configSchema, []);
  return fields;
}

let fields: readonly SchemaField[] | undefined;

export function findField(path: string): SchemaField | undefined {
  return listFields().find((field) => field.path === path);
}

/** The names that may stand directly below a path, or undefined where any name may. */
export function findNamesBelow(path: readonly PropertyKey[]): readonly string[] | undefined {
  let schema = unwrap(configSchema);
  for (const step of path) {
    const next = schema instanceof z.ZodObject ? schema.shape[String(step)] : elementOf(schema);
    if (next === undefined) return undefined;
    schema = unwrap(next);
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined;
}

function collect(schema: z.ZodType, path: readonly string[]): SchemaField[] {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodObject) {
    return Object.entries(bare.shape as Record<string, z.ZodType>).flatMap(([name, member]) =>
      collect(member, [...path, name]),
    );
  }
  const field = {
    path: path.join('.'),
    schema,
    description: schema.description ?? '',
    defaultValue: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
  };
  const element = bare instanceof z.ZodRecord ? elementOf(bare) : undefined;
  return element === undefined
    ? [field]
    : [field, ...collect(element, [...path, '<provider/name>'])];
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : undefined;
}

function unwrap(schema: z.ZodType): z.ZodType {
  let bare = schema;
  while (
    bare instanceof z.ZodPrefault ||
    bare instanceof z.ZodDefault ||
    bare instanceof z.ZodOptional ||
    bare instanceof z.ZodNullable
  ) {
    bare = bare.unwrap() as z.ZodType;
  }
  return bare;
}
