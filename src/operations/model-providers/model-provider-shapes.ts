import { z } from 'zod';
import { MODEL_PROVIDER_IDS } from '../../core/integrations/model-providers.ts';
import { isoDate } from '../fields.ts';

export const modelProviderParams = z.object({ provider: z.enum(MODEL_PROVIDER_IDS) });

export const modelProvider = z
  .object({
    id: z.enum(MODEL_PROVIDER_IDS),
    origin: z
      .string()
      .nullable()
      .meta({ description: 'Where it is reached; null when it is not set up.' }),
    key_place: z
      .string()
      .nullable()
      .meta({
        description: 'Where its key was found, never the key.',
        examples: ['OPENAI_API_KEY'],
      }),
    missing: z
      .string()
      .nullable()
      .meta({ description: 'What it needs yet, with the next step; null when it is set up.' }),
  })
  .meta({ id: 'ModelProvider' });

export const modelProviderList = z.object({ providers: z.array(modelProvider) });

export const modelProviderAnswer = z
  .object({
    id: z.enum(MODEL_PROVIDER_IDS),
    status: z.enum(['connected', 'review', 'disconnected']).meta({
      description:
        '`connected`: it answered and takes the key; of `openai-compatible` the first run shows whether it does. `review`: it did not. `disconnected`: not set up, so nobody was asked.',
    }),
    message: z.string(),
    checked_at: isoDate.nullable(),
    duration_ms: z.int().nullable(),
    http_status: z.int().nullable(),
  })
  .meta({ id: 'ModelProviderAnswer' });

export type ModelProviderShape = z.infer<typeof modelProvider>;
export type ModelProviderAnswerShape = z.infer<typeof modelProviderAnswer>;
