import { z } from 'zod';
import { anyJson } from '../../operations/fields.ts';
import { anyQuery, modelName } from './schema.ts';

export const embeddingsQuery = anyQuery;

export const embeddingsBody = z
  .looseObject({
    model: modelName,
    input: anyJson.meta({ description: 'A text, or at most 2,048 of them.' }),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    dimensions: z.int().min(1).nullish().meta({ description: 'Only what the model has anyway.' }),
  })
  .meta({ examples: [{ model: 'local/use-lite', input: 'a text' }] });

export const embeddingList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]).meta({
        description: 'Numbers, or the bytes of 32-bit floats, little-endian, in base64.',
      }),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
