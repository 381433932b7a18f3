import { z } from 'zod';
import { MAX_SECRET_NAME_CHARS, SECRET_NAME_PATTERN } from '../../core/secrets/secrets.ts';
import { parseHttpUrl } from './parse-http-url.ts';
import { HOUR_MS, MINUTE_MS, whole } from './schema-bounds.ts';

/** Section of the config about the summaries of runs and workers that are copied elsewhere. */
const mutation = z
  .string()
  .regex(
    /^[A-Za-z0-9_/-]{1,200}:[A-Za-z0-9_]{1,100}$/,
    'must be a module and a function, as in runtime:upsertRunSummary',
  );

export const projection = z
  .strictObject({
    sink: z
      .enum(['none', 'file', 'http'])
      .default('none')
      .describe(
        'Where summaries of runs and workers are written: nowhere, to files, or to a Convex deployment.',
      ),
    directory: z
      .string()
      .min(1)
      .max(4096)
      .refine((value) => !value.includes('\0'), 'must not contain NUL')
      .default('.openclawssy/projection')
      .describe('Folder of the file sink, relative to the state root.'),
    url: z
      .string()
      .max(2048)
      .refine((value) => parseHttpUrl(value) !== undefined, 'must be an http or https URL')
      .optional()
      .describe('Address of the Convex deployment; the http sink needs it.'),
    deploy_key_secret: z
      .string()
      .max(MAX_SECRET_NAME_CHARS)
      .regex(SECRET_NAME_PATTERN, 'must be the name of a secret')
      .default('projection/deploy_key')
      .describe(
        'Name of the stored secret that is sent as the deploy key. No such secret: none is sent.',
      ),
    run_mutation: mutation
      .default('runtime:upsertRunSummary')
      .describe('Function of the deployment that takes the summary of a run.'),
    worker_mutation: mutation
      .default('runtime:upsertCodexWorkerSummary')
      .describe('Function of the deployment that takes the summary of a worker.'),
    timeout_ms: whole(100, MINUTE_MS)
      .default(2500)
      .describe('Longest time for one write to the deployment.'),
    interval_ms: whole(10, MINUTE_MS)
      .default(250)
      .describe('How long news are gathered: a busy run is written at most this often.'),
    scan_ms: whole(1000, HOUR_MS)
      .default(MINUTE_MS)
      .describe('How often everything is looked through for news that nobody told of.'),
  })
  .prefault({})
  .refine(({ sink, url }) => sink !== 'http' || url !== undefined, {
    path: ['url'],
    error: 'is needed by the http sink',
    params: { fix: 'set projection.url to the address of the deployment' },
  });
