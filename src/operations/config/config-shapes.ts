import { z } from 'zod';
import { anyJson } from '../fields.ts';

/** The configuration as `/api/admin` shows and takes it. What its fields may be is for the core to say. */
export const configDocument = z
  .record(z.string(), anyJson)
  .meta({ id: 'Config', description: 'The configuration by section, without secret values.' });

export const configBody = z
  .record(z.string(), anyJson)
  .meta({ examples: [{ server: { port: 3000 } }] });

export const configSaved = z.object({
  ok: z.literal(true),
  applied: z.array(z.string()).meta({ description: 'Changed, and in force now.' }),
  restart_required: z.array(z.string()).meta({ description: 'Changed; in force after a restart.' }),
  overridden: z
    .array(z.string())
    .meta({ description: 'Changed, but an environment variable or a flag says otherwise.' }),
});

const fieldErrors = z.array(
  z.object({ path: z.string().meta({ examples: ['server.port'] }), message: z.string() }),
);

export const configVerdict = z.object({ valid: z.boolean(), field_errors: fieldErrors });

const configField = z.object({
  path: z.string().meta({ examples: ['server.port'] }),
  description: z.string(),
  default: anyJson.meta({ description: 'Null also where a field stays unset.' }),
  restart_required: z.boolean().meta({ description: 'Whether a change waits for a restart.' }),
  secret: z.boolean().meta({ description: 'Can be set and is never shown.' }),
  variable: z.string().nullable().meta({ description: 'The environment variable for it.' }),
  overridden: z
    .boolean()
    .meta({ description: 'An environment variable or a flag says otherwise now.' }),
});

export const configDescription = z.object({
  schema: z.record(z.string(), anyJson).meta({ description: 'JSON Schema of the document.' }),
  fields: z.array(configField),
  pending: z.array(z.string()).meta({ description: 'Fields of the file that wait for a restart.' }),
});

export type ConfigDescriptionShape = z.infer<typeof configDescription>;
export type ConfigSavedShape = z.infer<typeof configSaved>;
export type ConfigVerdictShape = z.infer<typeof configVerdict>;
