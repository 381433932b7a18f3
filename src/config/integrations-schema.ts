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
    timeout_ms: whole(100, 60_000)
      .default(10_000)
      .describe('Milliseconds that one request to such a service may take.'),
  })
  .prefault({});
