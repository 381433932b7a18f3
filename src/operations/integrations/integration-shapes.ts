import { z } from 'zod';
import { PANEL_IDS } from '../../core/integrations/panel-services.ts';
import { isoDate } from '../fields.ts';

export const integrationTest = z.strictObject({
  integration_id: z.enum(PANEL_IDS),
});

export const integration = z
  .object({
    id: z.enum(PANEL_IDS),
    name: z.string().meta({ examples: ['Resend'] }),
    status: z.enum(['connected', 'review', 'disconnected']).meta({
      description:
        '`connected`: it answered and takes the key. `review`: half set up, or it did not. `disconnected`: not set up.',
    }),
    mock_ready: z.literal(false).meta({ description: 'Nothing is ever made up in its place.' }),
    message: z.string(),
    recovery_action: z.string().nullable(),
    checked_at: isoDate.nullable().meta({ description: 'Null where nothing could be asked.' }),
    duration_ms: z.int().nullable(),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'What it answered with; null when it did not answer.' }),
  })
  .meta({ id: 'Integration' });

export const integrationList = z.object({
  generated_at: isoDate,
  integrations: z.array(integration),
});

export type IntegrationShape = z.infer<typeof integration>;
