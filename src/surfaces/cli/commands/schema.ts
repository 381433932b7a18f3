import { RuntimeError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext } from '../program/context.ts';
import { toSchemaFile } from '../schemas/command-schemas.ts';
import { toDocumentSchema } from '../schemas/document-schema.ts';

type Found =
  | { readonly kind: 'one'; readonly name: string; readonly schema: JsonObject }
  | { readonly kind: 'all'; readonly names: readonly string[] };

export const schema = defineCommand({
  usage: '[COMMAND]',
  description:
    'Prints the JSON Schema (2020-12) of the document that a command prints with --output-format json: how it ends\n' +
    'well, in failure and out of time. Without COMMAND, lists the commands that have one. All of them are in\n' +
    'docs/contracts/cli/schemas.json. Envelope 1.0 is described under $defs: legacy_success, legacy_error.',
  args: { min: 0, max: 3 },
  options: {},
  examples: [
    'claw schema list-sessions',
    'claw schema runs show > runs-show.schema.json',
    'claw schema --output-format json',
  ],
  async run({ args }, { parts }): Promise<Found> {
    const name = args.join(' ');
    const schemas = await parts.readSchemas();
    const names = Object.keys(schemas.commands);
    if (args.length === 0) return { kind: 'all', names };
    const found = toDocumentSchema(schemas, name);
    if (found === undefined) throw await noSchema(name, names, parts);
    return { kind: 'one', name, schema: found };
  },
  fields: (found) =>
    found.kind === 'one'
      ? { name: found.name, found: true, schema: found.schema }
      : {
          schemas_count: found.names.length,
          schemas: found.names.map((name) => ({ name, file: toSchemaFile(name) })),
        },
  text: (found) =>
    found.kind === 'one' ? JSON.stringify(found.schema, null, 2) : found.names.join('\n'),
});

async function noSchema(
  name: string,
  names: readonly string[],
  { findClosestName }: CliContext['parts'],
): Promise<Error> {
  const closest = await findClosestName(name, names);
  return new RuntimeError('not_found', `there is no schema for ${JSON.stringify(name)}`, {
    details: {
      thing: 'schema',
      name,
      operation: 'find_schema',
      hint:
        closest === undefined
          ? 'claw schema lists the commands that have one'
          : `did you mean claw schema ${closest}?`,
    },
  });
}
