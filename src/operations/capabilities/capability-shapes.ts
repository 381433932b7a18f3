import { z } from 'zod';
import { agentId, isoDate, toolName } from '../fields.ts';

const EFFECTS = ['grant', 'revoke'] as const;

export const capabilityList = z
  .object({
    agent_id: z.string(),
    granted: z.array(z.string()).meta({ description: 'The tools that it may use now.' }),
    changes: z
      .array(
        z.object({
          tool: z.string(),
          effect: z.enum(EFFECTS),
          by: z.string(),
          at: isoDate,
        }),
      )
      .meta({ description: 'What operators said beside the configuration.' }),
  })
  .meta({ id: 'Capabilities' });

export const capabilityParams = z.strictObject({ agent_id: agentId });

export const changeCapabilityBody = z.strictObject({
  tool: toolName.meta({ description: 'A tool, or a prefix that ends in `*`.' }),
  effect: z.enum(EFFECTS),
});

export type CapabilityListShape = z.infer<typeof capabilityList>;
