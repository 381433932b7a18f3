import { z } from 'zod';
import { whole } from './schema-bounds.ts';

/** Section of the config about skills that agents may use in runs. */
const publicKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be an ed25519 public key: 32 bytes in base64');

export const skills = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe('Tell agents which released skills there are, and let them read those.'),
    max_in_prompt: whole(0, 200)
      .default(20)
      .describe(
        'Released skills that are named to the model in its instructions; the rest it can only be told of.',
      ),
    trusted_keys: z
      .array(publicKey)
      .max(100)
      .default([])
      .describe(
        "Public keys, beside this installation's own, whose signature on a release counts. claw skills verify <folder> shows the key of a bundle.",
      ),
  })
  .prefault({});
