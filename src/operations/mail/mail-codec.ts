import { toIso } from '../../core/clock.ts';
import type { Mail } from '../../core/mail/mail.ts';
import type { MailListShape } from './mail-shapes.ts';

export function encodeMail(agentId: string, mail: readonly Mail[]): MailListShape {
  return {
    agent_id: agentId,
    mail: mail.map((one) => ({
      mail_id: one.id,
      from: one.from,
      to: one.to,
      subject: one.subject,
      task_id: one.taskId,
      body: one.body,
      run_id: one.runId ?? null,
      sent_at: toIso(one.sentAtMs),
      delivered_at: one.deliveredAtMs === undefined ? null : toIso(one.deliveredAtMs),
    })),
  };
}
