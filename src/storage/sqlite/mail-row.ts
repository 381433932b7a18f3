import type { AgentId, MailId, RunId } from '../../core/ids.ts';
import type { Mail } from '../../core/mail/mail.ts';
import { parseJsonText } from './json-text.ts';

export const SELECT_MAIL = 'SELECT mail.* FROM mail';

/** A page is read in one go. */
export const MAX_PAGE_MAIL = 500;

export interface MailRow {
  readonly no: number;
  readonly id: MailId;
  readonly owner: string;
  readonly from_agent: AgentId;
  readonly to_agent: AgentId;
  readonly subject: string;
  readonly task_id: string;
  readonly body: string;
  readonly run_id: RunId | null;
  readonly sent_at_ms: number;
  readonly delivered_at_ms: number | null;
}

export function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    owner: parseJsonText(row.owner),
    from: row.from_agent,
    to: row.to_agent,
    subject: parseJsonText(row.subject),
    taskId: parseJsonText(row.task_id),
    body: parseJsonText(row.body),
    runId: row.run_id ?? undefined,
    sentAtMs: row.sent_at_ms,
    deliveredAtMs: row.delivered_at_ms ?? undefined,
  };
}
