import { KEEP_DELIVERED_MS, MAX_REMOVED_MAIL } from '../mail-rules.ts';
import type { Statement } from './statement.ts';

// Other inboxes are not locked here: what somebody else is removing is left to him.
const REMOVE_OLD = `
  delete from mail where no in (
    select no from mail where delivered_at_ms < $1
    order by delivered_at_ms limit $2 for update skip locked
  )`;

/** Of all inboxes: an agent that gets no more mail would keep its own for ever. */
export function removeOldMail(nowMs: number): Statement {
  const values = [nowMs - KEEP_DELIVERED_MS, MAX_REMOVED_MAIL];
  return { name: 'remove_old_mail', text: REMOVE_OLD, values };
}
