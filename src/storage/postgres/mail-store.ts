import type { Mail, MailFilter, MailStore, TakeMail } from '../../core/mail/mail.ts';
import { holdLock } from './advisory-lock.ts';
import type { Database } from './database.ts';
import { digestKey } from './digest-key.ts';
import { decodeMail, MAIL_COLUMNS, type StoredMail } from './mail-row.ts';
import { readMark } from './mark.ts';
import { removeOldMail } from './remove-old-mail.ts';
import { holdInbox, sendTo } from './send-mail.ts';
import { clampLimit } from './statement.ts';
import { encodeText, isStorableId } from './text-codec.ts';

/** A page is read in one go, and each mail carries a body. */
const MAX_PAGE_MAIL = 500;

const LIST_TAKEN = `
  select ${MAIL_COLUMNS} from mail where receiver = $1 and taken_by = $2 and owner = $3
  order by no limit ${MAX_PAGE_MAIL}`;

const LIST_NEXT = `
  select ${MAIL_COLUMNS} from mail
  where receiver = $1 and owner = $4 and delivered_at_ms is null and ($3::text is null or task_id = $3)
  order by no limit $2`;

const DELIVER =
  'update mail set delivered_at_ms = $2, taken_by = $3 where id = any($1::text[]) and delivered_at_ms is null';

export interface MailStoreDeps {
  readonly database: Database;
  readonly nowMs: (() => number) | undefined;
}

export function createMailStore(deps: MailStoreDeps): MailStore {
  const { database, nowMs } = deps;
  return {
    send: (mail, maxUndelivered) =>
      database.transact(async (transaction) => {
        const [inbox, mark] = await Promise.all([
          holdInbox(transaction, mail, maxUndelivered),
          readMark(transaction, nowMs?.()),
        ]);
        const { result, writes } = sendTo(inbox, mail, mark.nowMs);
        return { value: result, writes, xid: mark.xid };
      }),

    take: async (request) => (isStorableId(request.agentId) ? takeMail(deps, request) : []),
    list: (filter) => listMail(database, filter),
  };
}

/** Under the inbox's lock: who comes second finds the mail delivered, or his own key on it. */
function takeMail({ database, nowMs }: MailStoreDeps, request: TakeMail): Promise<Mail[]> {
  const { agentId, taskId, limit } = request;
  const key = digestKey(request.key);
  const owner = encodeText(request.owner);
  const size = clampLimit(limit, MAX_PAGE_MAIL);
  const task = taskId === undefined ? null : encodeText(taskId);
  return database.transact<Mail[]>(async (transaction) => {
    const [, taken, next, mark] = await Promise.all([
      holdLock(transaction, 'inbox', agentId),
      transaction.query<StoredMail>({
        name: 'list_taken_mail',
        text: LIST_TAKEN,
        values: [agentId, key, owner],
      }),
      transaction.query<StoredMail>({
        name: 'list_next_mail',
        text: LIST_NEXT,
        values: [agentId, size, task, owner],
      }),
      readMark(transaction, nowMs?.()),
    ]);
    const { xid } = mark;
    if (taken.length > 0) return { value: taken.map(decodeMail), writes: [], xid };
    const mails = next.map((row) => ({ ...decodeMail(row), deliveredAtMs: mark.nowMs }));
    const values = [mails.map(({ id }) => id), mark.nowMs, key];
    const deliver = { name: 'deliver_mail', text: DELIVER, values };
    const writes = [...(mails.length > 0 ? [deliver] : []), removeOldMail(mark.nowMs)];
    return { value: mails, writes, xid };
  });
}

async function listMail(database: Database, filter: MailFilter): Promise<Mail[]> {
  const { agentId, isUndelivered } = filter;
  if (!isStorableId(agentId)) return [];
  const terms = {
    all: '',
    undelivered: 'and delivered_at_ms is null',
    delivered: 'and delivered_at_ms is not null',
  };
  const delivery = isUndelivered ? 'undelivered' : 'delivered';
  const wanted = isUndelivered === undefined ? 'all' : delivery;
  const stored = await database.read<StoredMail>({
    name: `list_mail_${wanted}`,
    text: `select ${MAIL_COLUMNS} from mail where receiver = $1 ${terms[wanted]} order by no desc limit $2`,
    values: [agentId, clampLimit(filter.limit, MAX_PAGE_MAIL)],
  });
  return stored.map(decodeMail);
}
