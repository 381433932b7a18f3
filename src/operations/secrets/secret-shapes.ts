import { z } from 'zod';
import {
  MAX_SECRET_CHARS,
  MAX_SECRET_NAME_CHARS,
  SECRET_NAME_PATTERN,
} from '../../core/secrets/secrets.ts';
import { isoDate, storable } from '../fields.ts';

/** Names of secrets, as `/api/admin` shows them; values only go in. */
export const secretList = z.object({
  keys: z.array(z.string()).meta({ description: 'Names, sorted.' }),
  secrets: z.array(z.object({ name: z.string(), updated_at: isoDate })),
});

export const secretStored = z.object({ ok: z.literal(true), stored: z.string() });
export const secretRemoved = z.object({ ok: z.literal(true), removed: z.string() });

export const secretBody = z.strictObject({
  name: storable(MAX_SECRET_NAME_CHARS)
    .min(1)
    .regex(SECRET_NAME_PATTERN, {
      error: 'must be parts of letters, digits, dots, dashes and underscores, joined by slashes',
    })
    .meta({ examples: ['provider/openai/api_key'] }),
  value: storable(MAX_SECRET_CHARS).min(1).meta({ description: 'Never shown again.' }),
});

/** A name may hold slashes, so it is all that is left of the path. */
export const secretParams = z.strictObject({
  '*': z.string().meta({ description: 'The name, with its slashes.' }),
});

export type SecretListShape = z.infer<typeof secretList>;
