import { z } from 'zod';
import { AGENT_ID_PATTERN, RUN_ID_PATTERN } from '../../core/ids.ts';
import type { JsonValue } from '../../core/json.ts';

/** Fields that several surfaces speak of in the same words. */
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

// Databases differ in what they do with NUL and half surrogate pairs; a stored text must read back as it was hashed.
export const storable = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => !text.includes('\0'), { error: 'must not contain NUL characters' })
    .refine((text) => !/\p{Surrogate}/u.test(text), { error: 'must be well-formed Unicode' });

/** Query values arrive as text; `1e3`, ` 5` and `0x10` are not integers to us. */
export const integerParam = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int({ error: 'must be an integer' }).min(min).max(max),
  );

export const agentId = z
  .string()
  .min(1)
  .regex(AGENT_ID_PATTERN, { error: 'must be 1 to 64 letters, digits, _ or -' })
  .meta({ examples: ['agent_default'] });

export const runId = z
  .string()
  .regex(RUN_ID_PATTERN, { error: 'must be 1 to 128 letters, digits, _ or -' })
  .meta({ examples: ['run_01jv8z4q0k6c'] });

export const isoDate = z
  .string()
  .meta({ format: 'date-time', examples: ['2026-02-15T00:00:00.000Z'] });
export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({ examples: ['invalid.request'] }),
      message: z.string().meta({ examples: ['agent_id is required'] }),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Every answer that is not 2xx.' });

// Not `z.json()`: it describes itself by a reference that leads nowhere in the document.
export const anyJson = z.unknown() as unknown as z.ZodType<JsonValue>;

export const noQuery = z.strictObject({});

export const pageLimit = integerParam(1, MAX_PAGE).prefault(DEFAULT_PAGE);

export const pageCursor = (maxChars: number) =>
  z.string().min(1).max(maxChars).meta({ description: 'The `next_cursor` of the page before.' });
