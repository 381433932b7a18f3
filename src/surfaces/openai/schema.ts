import { z } from 'zod';
import { anyId, anyJson, integerParam, projectId } from '../../operations/fields.ts';
import { createRunHeaders } from '../../operations/runs/run-shapes.ts';

/** What the four paths have in common. Fields beyond these are tolerated, or refused by name where they matter. */
const MAX_MODEL_CHARS = 512;
const MAX_TOKENS = 10_000_000;

export const completionHeaders = createRunHeaders.extend({
  'last-event-id': integerParam(0, Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'The last `id` of a stream that broke off; needs the Idempotency-Key of its call.',
  }),
});

/** Some programs add parameters of their own to every address. */
export const anyQuery = z.looseObject({});

export const modelName = z
  .string()
  .min(1)
  .max(MAX_MODEL_CHARS)
  .meta({ examples: ['agent/pincer', 'openai/gpt-5-mini'] });

export const tokenLimit = z.int().min(1).max(MAX_TOKENS).nullish();

/** Both are kept out of the model's sight. */
const metadata = z
  .looseObject({
    session_id: anyId.optional().meta({ description: 'The session that keeps the conversation.' }),
    project_id: projectId.optional().meta({ description: 'What the run counts for.' }),
  })
  .nullish();

export const sharedSettings = {
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  tools: z.array(anyJson).nullish().meta({
    description: 'Functions that the caller carries out. The agent has its own, which do not show.',
  }),
  tool_choice: anyJson.nullish(),
  metadata,
};

export const costUsd = z
  .number()
  .nullable()
  .meta({ description: 'US dollars; null when a price is not known.' });
