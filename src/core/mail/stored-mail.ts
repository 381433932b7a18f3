import { clampLimit } from '../clamp-limit.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId } from '../ids.ts';
import { digestKey } from '../secrets/digest-key.ts';
import { expire, patch, put } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, count, find } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import {
  isSameMessage,
  type Mail,
  type MailStore,
  type NewMail,
  type SendResult,
  type TakeMail,
} from './mail.ts';

export interface MailRow extends Mail {
  /** A digest of the owner and of its name for the mail. */
  readonly key: string;
  /** A digest of the key of the call that took it. */
  readonly takenBy: string | undefined;
}

export const MAIL = collection<MailRow>()('mail', 'id');
export const MAIL_OF_KEY = query<{ key: string }, MailRow>('mail_of_key');
/** What a call with this key has taken before, oldest first. */
export const TAKEN_MAIL = query<Inbox & { takenBy: string; limit: number }, MailRow>('taken_mail');
/** What is not delivered yet, oldest first. */
export const NEXT_MAIL = query<Inbox & { taskId: string | undefined; limit: number }, MailRow>(
  'next_mail',
);
export const NEWEST_MAIL = query<
  { to: AgentId; isDelivered: boolean | undefined; limit: number },
  MailRow
>('newest_mail');

type Inbox = Pick<Mail, 'to' | 'owner'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long delivered mail is kept: for people who look back, and for calls that are repeated after a crash. */
const KEEP_DELIVERED_MS = 30 * DAY_MS;
/** By one call. A call sends one mail, so what has gathered is gone soon all the same. */
const MAX_EXPIRED_MAIL = 100;
/** A page is read in one go, and each mail carries a body. */
const MAX_PAGE_MAIL = 500;

/** Of all inboxes: an agent that gets no more mail would keep its own for ever. */
function expireMail(nowMs: number) {
  const untilMs = nowMs - KEEP_DELIVERED_MS - 1;
  return expire(MAIL, { by: 'deliveredAtMs', untilMs, max: MAX_EXPIRED_MAIL });
}

/** Owners name their mail without knowing of each other: the same name of two is two. */
function toKey({ owner, key }: NewMail): string {
  return digestKey(JSON.stringify([owner, key]));
}

const lockOf = (receiver: AgentId) => `inbox ${receiver}`;

export interface Sending {
  readonly mail: NewMail;
  readonly maxUndelivered: number;
}

export const send = defineWrite({
  name: 'mail.send',
  locks: ({ mail }: Sending) => [`mail ${mail.id}`, `mail_key ${toKey(mail)}`, lockOf(mail.to)],
  needs: ({ mail, maxUndelivered }) => ({
    known: ask(MAIL_OF_KEY, { key: toKey(mail) }),
    taken: find(MAIL, { id: mail.id }),
    undelivered: count(MAIL, {
      of: { to: mail.to, owner: mail.owner, deliveredAtMs: undefined },
      max: Math.max(0, Math.trunc(maxUndelivered)),
    }),
  }),
  decide(
    { known: [known], taken, undelivered },
    { mail, maxUndelivered },
    nowMs,
  ): Decided<SendResult> {
    if (known && !isSameMessage(mail, known)) return answer({ outcome: 'other_message' });
    if (known) return answer({ outcome: 'sent', mail: toMail(known), replayed: true });
    if (undelivered >= Math.trunc(maxUndelivered)) return answer({ outcome: 'inbox_full' });
    if (taken) throw new RuntimeError('conflict', `mail ${mail.id} exists already`);
    const row = {
      ...mail,
      key: toKey(mail),
      sentAtMs: nowMs,
      deliveredAtMs: undefined,
      takenBy: undefined,
    };
    return {
      value: { outcome: 'sent', mail: toMail(row), replayed: false },
      changes: [put(MAIL, row), expireMail(nowMs)],
    };
  },
});

/** Who comes second finds the mail delivered, or his own key on it. */
const take = defineWrite({
  name: 'mail.take',
  locks: ({ agentId }: TakeMail) => [lockOf(agentId)],
  needs: ({ agentId: to, owner, key, taskId, limit }) => ({
    taken: ask(TAKEN_MAIL, { to, owner, takenBy: digestKey(key), limit: MAX_PAGE_MAIL }),
    next: ask(NEXT_MAIL, { to, owner, taskId, limit: clampLimit(limit, MAX_PAGE_MAIL) }),
  }),
  decide({ taken, next }, { key }, nowMs): Decided<Mail[]> {
    if (taken.length > 0) return answer(taken.map(toMail));
    const delivery = { deliveredAtMs: nowMs, takenBy: digestKey(key) };
    return {
      value: next.map((row) => toMail({ ...row, ...delivery })),
      changes: [...next.map(({ id }) => patch(MAIL, { id }, delivery)), expireMail(nowMs)],
    };
  },
});

export const MAIL_WRITES = { send, take };

export function createMailStore({ load, write }: Tables): MailStore {
  return {
    send: (mail, maxUndelivered) => write(send, { mail, maxUndelivered }),
    take: (request) => write(take, request),

    async list({ agentId, isUndelivered, limit }) {
      const isDelivered = isUndelivered === undefined ? undefined : !isUndelivered;
      const size = clampLimit(limit, MAX_PAGE_MAIL);
      const rows = await load(ask(NEWEST_MAIL, { to: agentId, isDelivered, limit: size }));
      return rows.map(toMail);
    },
  };
}

function toMail({ key: _, takenBy: __, ...mail }: MailRow): Mail {
  return mail;
}
