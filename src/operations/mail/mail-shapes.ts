import { z } from 'zod';
import { agentId, isoDate, pageLimit } from '../fields.ts';

/** An agent's inbox, as `/api/admin` shows it. */
export const mailList = z.object({
  agent_id: z.string(),
  mail: z.array(
    z.object({
      mail_id: z.string(),
      from: z.string(),
      to: z.string(),
      subject: z.string(),
      task_id: z.string(),
      body: z.string(),
      run_id: z.string().nullable().meta({ description: 'The run that sent it.' }),
      sent_at: isoDate,
      delivered_at: isoDate.nullable(),
    }),
  ),
});

export const mailQuery = z.strictObject({
  agent_id: agentId.meta({ description: 'Whose inbox.' }),
  undelivered: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only what waits to be taken.' }),
  limit: pageLimit,
});

export type MailListShape = z.infer<typeof mailList>;
