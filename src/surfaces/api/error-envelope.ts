import { z } from 'zod';
import { TAXONOMIES } from '../../core/errors.ts';

export const apiErrorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({ examples: ['validation_error'] }),
      message: z.string().meta({ examples: ['name is required'] }),
      details: z.looseObject({
        taxonomy: z.enum(TAXONOMIES),
        recovery_action: z.string().meta({ description: 'What to do next.' }),
      }),
    }),
  })
  .meta({ id: 'ApiError', description: 'Every answer of `/api` that is not 2xx.' });
