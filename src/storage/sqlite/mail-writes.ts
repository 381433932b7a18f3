import { RuntimeError } from '../../core/errors.ts';
import {
  isSameMessage,
  type Mail,
  type NewMail,
  type SendResult,
  type TakeMail,
} from '../../core/mail/mail.ts';
import { KEEP_DELIVERED_MS, MAX_REMOVED_MAIL, toMailKey } from '../mail-rules.ts';
import { toJsonText } from './json-text.ts';
import { MAX_PAGE_MAIL, type MailRow, SELECT_MAIL, toMail } from './mail-row.ts';
import { allRows, getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export type SendMail = (mail: NewMail, maxUndelivered: number) => SendResult;

export function createSendMail(context: WriteContext): SendMail {
  const { db } = context;
  const selectByKey = db.prepare(`${SELECT_MAIL} WHERE key = ?`);
  const selectTaken = db.prepare('SELECT 1 FROM mail WHERE id = ?');
  // Counts no further than it has to.
  const countUndelivered = db.prepare(`
    SELECT count(*) AS mails FROM (
      SELECT 1 FROM mail WHERE to_agent = ? AND owner = ? AND delivered_at_ms IS NULL LIMIT ?
    )`);
  const insert = db.prepare(`
    INSERT INTO mail (
      id, key, owner, from_agent, to_agent, subject, task_id, body, run_id, sent_at_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  const removeOld = createRemoveOldMail(context);

  function isFull({ to, owner }: NewMail, maxUndelivered: number): boolean {
    const max = Math.max(0, Math.trunc(maxUndelivered));
    const found = getRow<{ mails: number }>(countUndelivered, to, toJsonText(owner), max);
    return (found?.mails ?? 0) >= max;
  }

  return (sent, maxUndelivered) => {
    const key = toMailKey(sent);
    const row = getRow<MailRow>(selectByKey, key);
    const known = row && toMail(row);
    if (known && !isSameMessage(sent, known)) return { outcome: 'other_message' };
    if (known) return { outcome: 'sent', mail: known, replayed: true };
    if (isFull(sent, maxUndelivered)) return { outcome: 'inbox_full' };
    if (getRow(selectTaken, sent.id)) {
      throw new RuntimeError('conflict', `mail ${sent.id} exists already`);
    }
    const { key: _, ...letter } = sent;
    const { id, owner, from, to, subject, taskId, body, runId } = letter;
    const sentAtMs = context.nowMs();
    const texts = [toJsonText(subject), toJsonText(taskId), toJsonText(body)];
    insert.run(id, key, toJsonText(owner), from, to, ...texts, runId ?? null, sentAtMs);
    removeOld();
    const mail = { ...letter, sentAtMs, deliveredAtMs: undefined };
    return { outcome: 'sent', mail, replayed: false };
  };
}

export function createTakeMail(context: WriteContext) {
  const { db } = context;
  const selectTaken = db.prepare(`
    ${SELECT_MAIL} WHERE to_agent = ? AND owner = ? AND take_key = ? ORDER BY no LIMIT ${MAX_PAGE_MAIL}`);
  const prepare = (term: string) =>
    db.prepare(`
      ${SELECT_MAIL} WHERE to_agent = ? AND owner = ? AND delivered_at_ms IS NULL ${term} ORDER BY no LIMIT ?`);
  const selectNext = prepare('');
  const selectNextOfTask = prepare('AND task_id = ?');
  const removeOld = createRemoveOldMail(context);
  const deliver = db.prepare('UPDATE mail SET delivered_at_ms = ?, take_key = ? WHERE no = ?');

  function findNext({ agentId, owner, limit, taskId }: TakeMail): MailRow[] {
    const inbox = [agentId, toJsonText(owner)];
    const size = Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_MAIL));
    return taskId === undefined
      ? allRows<MailRow>(selectNext, ...inbox, size)
      : allRows<MailRow>(selectNextOfTask, ...inbox, toJsonText(taskId), size);
  }

  return (request: TakeMail): Mail[] => {
    const key = toJsonText(request.key);
    const owner = toJsonText(request.owner);
    const taken = allRows<MailRow>(selectTaken, request.agentId, owner, key);
    if (taken.length > 0) return taken.map(toMail);
    removeOld();
    const nowMs = context.nowMs();
    return findNext(request).map((row) => {
      deliver.run(nowMs, key, row.no);
      return { ...toMail(row), deliveredAtMs: nowMs };
    });
  };
}

/** Of all inboxes: an agent that gets no more mail would keep its own for ever. */
function createRemoveOldMail({ db, nowMs }: WriteContext): () => void {
  const remove = db.prepare(`
    DELETE FROM mail WHERE no IN (
      SELECT no FROM mail WHERE delivered_at_ms < ? ORDER BY delivered_at_ms LIMIT ?
    )`);

  return () => {
    remove.run(nowMs() - KEEP_DELIVERED_MS, MAX_REMOVED_MAIL);
  };
}
