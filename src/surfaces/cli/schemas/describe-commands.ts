import { z } from 'zod';
import type { CommandSchemas } from './command-schemas.ts';
import { COMMAND_SHAPES } from './command-shapes.ts';
import { ENVELOPE_SHAPES, RESERVED_MEMBERS } from './envelope-shapes.ts';

/** Where shapes with an id of their own are put, which several commands refer to. */
const SHARED = '__shared';

/** What `claw schema` reads, from the shapes. Run by the build: commands themselves never load the schema library. */
export function describeCommands(): CommandSchemas {
  const registry = z.registry<{ id: string }>();
  const envelopes = Object.entries(ENVELOPE_SHAPES).map(([name, shape]) => [name, shape] as const);
  for (const [name, shape] of envelopes) registry.add(shape, { id: name });
  // A copy of each, since commands that answer the same share a shape, and a registry takes it once.
  for (const [command, shape] of Object.entries(COMMAND_SHAPES)) {
    assertOwnMembers(command, Object.keys(shape.shape));
    registry.add(z.object(shape.shape), { id: command });
  }
  const { schemas } = z.toJSONSchema(registry, {
    // Answers have no defaults, and members may be added to them.
    io: 'input',
    uri: (id) => (id === SHARED ? '' : id),
    override: ({ jsonSchema }) => dropNoise(jsonSchema),
  });
  const { [SHARED]: shared, ...described } = schemas;
  const find = (name: string) => {
    const { $schema, $id, ...schema } = described[name] ?? {};
    return schema;
  };
  return {
    $defs: toSorted([
      ...envelopes.map(([name]) => [name, find(name)] as const),
      ...Object.entries(shared?.$defs ?? {}),
    ]),
    commands: toSorted(Object.keys(COMMAND_SHAPES).map((name) => [name, find(name)] as const)),
  } as unknown as CommandSchemas;
}

function assertOwnMembers(command: string, names: readonly string[]): void {
  const taken = names.filter((name) => RESERVED_MEMBERS.includes(name));
  if (taken.length > 0) throw new Error(`${command} answers with ${taken}, of the envelope`);
}

/** Of no meaning here: ids and examples of OpenAPI, that names are text, and the bounds of every integer in JavaScript. */
function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.id;
  delete schema.examples;
  delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function toSorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}
