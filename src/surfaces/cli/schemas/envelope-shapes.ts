import { z } from 'zod';
import { ERROR_KINDS, NOT_FOUND_KIND } from '../program/error-kinds.ts';

/** What all documents have in common; the command's own members stand beside them. */
const envelope = z.object({
  timestamp: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    .meta({ format: 'date-time', description: 'when the command ended, UTC, whole seconds' }),
  command: z.string(),
  exit_code: z.literal([0, 1, 2]),
  output_format: z.literal('json'),
  schema_version: z.literal('2.0'),
});

const error = z.object({
  kind: z.union([z.enum(ERROR_KINDS), z.string().regex(NOT_FOUND_KIND)]),
  operation: z.string().meta({ description: 'what failed: a call or a step' }),
  target: z.string().meta({ description: 'what it failed on: a path, an id, a name' }),
  retryable: z.boolean().meta({ description: 'the same command may succeed later, unchanged' }),
  message: z.string(),
  hint: z.string().optional().meta({ description: 'what to do about it' }),
});

/** A failure in envelope 1.0, whole. */
const legacyError = z.object({
  type: z.literal('error'),
  error: z.string(),
  kind: z.string(),
  hint: z.string().nullable(),
});

/** By the names that documents refer to them with. */
export const ENVELOPE_SHAPES = { envelope, error, legacy_error: legacyError };

/** Members that no command may have: they are the envelope's, in 2.0 or in 1.0. */
export const RESERVED_MEMBERS = [...Object.keys(envelope.shape), 'error', 'kind', 'type'];
