import type { AgentId, MailId, RunId } from '../../core/ids.ts';
import type { Mail, NewMail } from '../../core/mail/mail.ts';
import { toMailKey } from '../mail-rules.ts';
import { bulkInsert, type Column, names } from './bulk.ts';
import { digestKey } from './digest-key.ts';
import { decodeText, encodeText } from './text-codec.ts';

export interface StoredMail {
  readonly id: string;
  readonly owner: string;
  readonly sender: string;
  readonly receiver: string;
  readonly subject: string;
  readonly task_id: string;
  readonly body: string;
  readonly run_id: string | null;
  readonly sent_at_ms: number;
  readonly delivered_at_ms: number | null;
}

const FIELDS: readonly Column<Mail>[] = [
  ['id', 'text', (mail) => mail.id],
  ['owner', 'text', (mail) => encodeText(mail.owner)],
  ['sender', 'text', (mail) => mail.from],
  ['receiver', 'text', (mail) => mail.to],
  ['subject', 'text', (mail) => encodeText(mail.subject)],
  ['task_id', 'text', (mail) => encodeText(mail.taskId)],
  ['body', 'text', (mail) => encodeText(mail.body)],
  ['run_id', 'text', (mail) => mail.runId],
  ['sent_at_ms', 'bigint', (mail) => mail.sentAtMs],
  ['delivered_at_ms', 'bigint', (mail) => mail.deliveredAtMs],
];

export const MAIL_COLUMNS = names(FIELDS);
export const INSERT_MAIL = bulkInsert<Mail & Pick<NewMail, 'key'>>('mail', [
  ...FIELDS,
  ['key', 'text', (mail) => digestKey(toMailKey(mail))],
]);

export function decodeMail(stored: StoredMail): Mail {
  return {
    id: stored.id as MailId,
    owner: decodeText(stored.owner),
    from: stored.sender as AgentId,
    to: stored.receiver as AgentId,
    subject: decodeText(stored.subject),
    taskId: decodeText(stored.task_id),
    body: decodeText(stored.body),
    runId: (stored.run_id ?? undefined) as RunId | undefined,
    sentAtMs: stored.sent_at_ms,
    deliveredAtMs: stored.delivered_at_ms ?? undefined,
  };
}
