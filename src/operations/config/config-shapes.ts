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

export type ConfigSavedShape = z.infer<typeof configSaved>;
export type ConfigVerdictShape = z.infer<typeof configVerdict>;
