import { z } from 'zod';
import { AGENT_REFERENCE_PATTERN, AGENT_REFERENCE_RULE } from '../core/agents/resolve-agent.ts';
import { RUN_ID_PATTERN } from '../core/ids.ts';
import type { JsonValue } from '../core/json.ts';
import { PROJECT_ID_PATTERN, PROJECT_ID_RULE } from '../core/projects/project-id.ts';

/** Fields that several surfaces speak of in the same words. */
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
const MAX_TOOL_CHARS = 256;
const MAX_NOTE_CHARS = 500;

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

/** Whatever names an agent: its id, its slug, or its name. */
export const agentId = z
  .string()
  .min(1)
  .regex(AGENT_REFERENCE_PATTERN, { error: AGENT_REFERENCE_RULE })
  .meta({ examples: ['agent_default'] });

export const projectId = z
  .string()
  .regex(PROJECT_ID_PATTERN, { error: PROJECT_ID_RULE })
  .meta({ examples: ['proj_001'] });

/** Of whatever kind: all ids have one alphabet and one bound. */
export const anyId = z
  .string()
  .regex(RUN_ID_PATTERN, { error: 'must be 1 to 128 letters, digits, _ or -' });

export const runId = anyId.meta({ examples: ['run_01jv8z4q0k6c'] });

export const toolName = storable(MAX_TOOL_CHARS)
  .min(1)
  .meta({ examples: ['http.request'] });

export const note = storable(MAX_NOTE_CHARS)
  .optional()
  .meta({ description: 'Kept with the decision.', examples: ['checked with the provider'] });

export const isoDate = z
  .string()
  .meta({ format: 'date-time', examples: ['2026-02-15T00:00:00.000Z'] });

/** A time that somebody asks with. */
export const momentParam = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-02-15T10:00:00Z' })
  .meta({ examples: ['2026-02-15T00:00:00Z'] });

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

const MAX_CURSOR_CHARS = 256;

export const pageCursor = (maxChars = MAX_CURSOR_CHARS) =>
  z.string().min(1).max(maxChars).meta({ description: 'The `next_cursor` of the page before.' });
