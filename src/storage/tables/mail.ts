import {
  MAIL,
  MAIL_OF_KEY,
  NEWEST_MAIL,
  NEXT_MAIL,
  TAKEN_MAIL,
} from '../../core/mail/stored-mail.ts';
import { querySql, table } from './table.ts';

/** `no` counts up as mail is sent: the order of inboxes. */
export const MAIL_TABLE = table(
  MAIL,
  {
    id: 'id',
    key: 'id',
    owner: 'text',
    from: 'id',
    to: 'id',
    subject: 'text',
    taskId: 'text',
    body: 'text',
    runId: 'id?',
    sentAtMs: 'ms',
    deliveredAtMs: 'ms?',
    takenBy: 'id?',
  },
  { from: 'sender', to: 'receiver' },
);

const SELECT = `select ${MAIL_TABLE.select} from mail`;

export const MAIL_QUERIES = [
  querySql(MAIL_OF_KEY, {
    params: { key: 'id' },
    answer: MAIL_TABLE,
    text: `${SELECT} where key = :key`,
  }),
  querySql(TAKEN_MAIL, {
    params: { to: 'id', owner: 'text', takenBy: 'id', limit: 'int' },
    answer: MAIL_TABLE,
    text: `
      ${SELECT} where receiver = :to and taken_by = :takenBy and owner = :owner
      order by no limit :limit`,
  }),
  querySql(NEXT_MAIL, {
    params: { to: 'id', owner: 'text', taskId: 'text?', limit: 'int' },
    answer: MAIL_TABLE,
    text: `
      ${SELECT} where receiver = :to and owner = :owner and delivered_at_ms is null
        and (:taskId is null or task_id = :taskId)
      order by no limit :limit`,
  }),
  querySql(NEWEST_MAIL, {
    params: { to: 'id', isDelivered: 'flag?', limit: 'int' },
    answer: MAIL_TABLE,
    text: `
      ${SELECT} where receiver = :to
        and (:isDelivered is null or (delivered_at_ms is not null) = :isDelivered)
      order by no desc limit :limit`,
  }),
];
