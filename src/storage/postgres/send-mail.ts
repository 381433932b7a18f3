import { RuntimeError } from '../../core/errors.ts';
import { isSameMessage, type Mail, type NewMail, type SendResult } from '../../core/mail/mail.ts';
import { toMailKey } from '../mail-rules.ts';
import { holdLock } from './advisory-lock.ts';
import { toStatements } from './bulk.ts';
import { digestKey } from './digest-key.ts';
import { decodeMail, INSERT_MAIL, MAIL_COLUMNS, type StoredMail } from './mail-row.ts';
import { removeOldMail } from './remove-old-mail.ts';
import type { Statement } from './statement.ts';
import { encodeText } from './text-codec.ts';
import type { Transaction } from './transact-once.ts';

const FIND_KNOWN = `select ${MAIL_COLUMNS} from mail where key = $1`;
const EXISTS = 'select 1 as found from mail where id = $1';
const COUNT =
  'select count(*) as mails from (select from mail where receiver = $1 and owner = $3 and delivered_at_ms is null limit $2) m';

export interface Inbox {
  /** The owner's mail that was sent with this key before. */
  readonly known: Mail | undefined;
  readonly isFull: boolean;
  readonly isIdTaken: boolean;
}

/** The receiver's inbox, as far as one more mail needs to know it, held until the transaction ends. */
export async function holdInbox(
  transaction: Transaction,
  mail: NewMail,
  maxUndelivered: number,
): Promise<Inbox> {
  const max = Math.max(0, Math.trunc(maxUndelivered));
  const count = {
    name: 'count_undelivered',
    text: COUNT,
    values: [mail.to, max, encodeText(mail.owner)],
  };
  const key = digestKey(toMailKey(mail));
  const [, [stored], [undelivered], taken] = await Promise.all([
    holdLock(transaction, 'inbox', mail.to),
    transaction.query<StoredMail>({ name: 'find_known_mail', text: FIND_KNOWN, values: [key] }),
    transaction.query<{ mails: number }>(count),
    transaction.query({ name: 'mail_exists', text: EXISTS, values: [mail.id] }),
  ]);
  const isFull = (undelivered?.mails ?? 0) >= max;
  return { known: stored && decodeMail(stored), isFull, isIdTaken: taken.length > 0 };
}

export interface SentMail {
  readonly result: SendResult;
  readonly writes: readonly Statement[];
}

export function sendTo(inbox: Inbox, mail: NewMail, nowMs: number): SentMail {
  const { known } = inbox;
  if (known && !isSameMessage(mail, known)) {
    return { result: { outcome: 'other_message' }, writes: [] };
  }
  if (known) return { result: { outcome: 'sent', mail: known, replayed: true }, writes: [] };
  if (inbox.isFull) return { result: { outcome: 'inbox_full' }, writes: [] };
  if (inbox.isIdTaken) throw new RuntimeError('conflict', `mail ${mail.id} exists already`);
  const { key, ...letter } = mail;
  const sent = { ...letter, sentAtMs: nowMs, deliveredAtMs: undefined };
  return {
    result: { outcome: 'sent', mail: sent, replayed: false },
    writes: [...toStatements(INSERT_MAIL, [{ ...sent, key }]), removeOldMail(nowMs)],
  };
}
