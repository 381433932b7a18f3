import { z } from 'zod';
import { parseHttpUrl } from './parse-http-url.ts';
import { whole } from './schema-bounds.ts';

/** The services behind `tools/execute`. */
const baseUrl = (byDefault: string) =>
  z
    .string()
    .refine((url) => parseHttpUrl(url) !== undefined, { error: 'must be an http or https URL' })
    .default(byDefault);

const secretNames = z
  .array(z.string().min(1).max(128))
  .max(1000)
  .default([])
  .describe(
    'Secrets that manifests of callers may name beside intsec_… and those under integration/ and the provider. Keys of models stay out of reach.',
  );

/** Services that are asked whether they are there, and nothing else so far. */
const placeOf = (name: string, secretName: string) =>
  z
    .strictObject({
      base_url: z
        .string()
        .refine((url) => parseHttpUrl(url) !== undefined, {
          error: 'must be an http or https URL',
        })
        .optional()
        .describe(
          `Where ${name} is, for GET /api/integrations/status. Its key is the secret ${secretName}.`,
        ),
      test_path: z
        .string()
        .max(512)
        .regex(/^\/[\x21-\x7e]*$/, 'must be a path that starts with / and has no spaces')
        .default('/health')
        .describe(
          'What is read below it, with the key as a bearer token, to see whether it is there.',
        ),
    })
    .prefault({});

export const integrations = z
  .strictObject({
    github: z
      .strictObject({
        base_url: baseUrl('https://api.github.com').describe(
          'Where GitHub is; GITHUB_API_URL overrides it. Plain http only on this machine.',
        ),
        secret_names: secretNames,
      })
      .prefault({}),
    resend: z
      .strictObject({
        base_url: baseUrl('https://api.resend.com').describe(
          'Where Resend is; RESEND_API_URL overrides it. Plain http only on this machine.',
        ),
        secret_names: secretNames,
      })
      .prefault({}),
    whatsapp_gateway: placeOf('the WhatsApp gateway', 'intsec_whatsapp_gateway_1'),
    make: z
      .strictObject({
        base_url: baseUrl('https://eu1.make.com/api/v2').describe(
          'The API of Make in your zone, for GET /api/integrations/status. Its key is the secret intsec_make_1.',
        ),
      })
      .prefault({}),
    chefos: placeOf('ChefOS', 'intsec_chefos_1'),
    timeout_ms: whole(100, 60_000)
      .default(10_000)
      .describe('Milliseconds that one request to such a service may take.'),
  })
  .prefault({});
