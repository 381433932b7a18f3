import { z } from 'zod';
import { isoDate, storable } from '../fields.ts';

const MAX_REASON_CHARS = 500;

export const killSwitchState = z
  .object({
    on: z.boolean().meta({ description: 'While it is, no model and no tool is called anywhere.' }),
    reason: z.string(),
    by: z.string().nullable().meta({ description: 'Who turned it last; null when nobody has.' }),
    changed_at: isoDate.nullable(),
  })
  .meta({ id: 'KillSwitchState' });

export const killSwitch = killSwitchState.extend({
  history: z
    .array(z.object({ on: z.boolean(), reason: z.string(), by: z.string(), changed_at: isoDate }))
    .meta({ description: 'Who turned it when and why, newest first; the newest 100.' }),
});

const reason = storable(MAX_REASON_CHARS)
  .optional()
  .meta({ examples: ['an agent sends mail to everybody'] });

export const turnBody = z
  .strictObject({ on: z.boolean(), reason })
  .meta({ examples: [{ on: true, reason: 'an agent sends mail to everybody' }] });

export type KillSwitchStateShape = z.infer<typeof killSwitchState>;
export type KillSwitchShape = z.infer<typeof killSwitch>;
