import { z } from 'zod';
import { anyQuery } from './schema.ts';

export const modelsQuery = anyQuery;

export const modelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal('model'),
      created: z.int(),
      owned_by: z.string(),
    }),
  ),
});
