import { z } from 'zod';
import { configSchema } from './schema.ts';

/** One settable field of the config, for documents, error messages and overrides. */
export interface SchemaField {
  /** Dotted, as in `server.port`; a key of a map is written as in `prices.<provider/name>`, an entry of a list as in `rules[]`. */
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
    const next =
      schema instanceof z.ZodObject ? schema.shape[String(step)] : findElement(schema)?.schema;
    if (next === undefined) return undefined;
    schema = unwrap(next);
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined;
}

function collect(schema: z.ZodType, path: readonly string[]): SchemaField[] {
  const bare = unwrap(schema);
  const field = {
    path: path.join('.'),
    schema,
    description: schema.description ?? '',
    defaultValue: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
  };
  if (bare instanceof z.ZodObject) {
    const members = Object.entries(bare.shape as Record<string, z.ZodType>).flatMap(
      ([name, member]) => collect(member, [...path, name]),
    );
    // A section is explained by its members; an object that may be left out says what it is for.
    return field.description === '' ? members : [field, ...members];
  }
  const element = findElement(bare);
  if (element === undefined || !(unwrap(element.schema) instanceof z.ZodObject)) return [field];
  return [field, ...collect(element.schema, element.under(path))];
}

interface Element {
  readonly schema: z.ZodType;
  under(path: readonly string[]): readonly string[];
}

/** What a map or a list is made of. */
function findElement(schema: z.ZodType): Element | undefined {
  if (schema instanceof z.ZodRecord) {
    const key = (schema.keyType as z.ZodType).meta()?.title ?? 'name';
    return {
      schema: schema.valueType as z.ZodType,
      under: (path) => [...path, `<${key}>`],
    };
  }
  if (schema instanceof z.ZodArray) {
    return {
      schema: schema.element as z.ZodType,
      under: (path) => [...path.slice(0, -1), `${path.at(-1) ?? ''}[]`],
    };
  }
  return undefined;
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
