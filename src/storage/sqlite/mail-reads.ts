import type { Mail, MailFilter } from '../../core/mail/mail.ts';
import type { Database } from './driver.ts';
import { MAX_PAGE_MAIL, type MailRow, SELECT_MAIL, toMail } from './mail-row.ts';
import { allRows } from './rows.ts';

export function createMailReads(db: Database) {
  const prepare = (term: string) =>
    db.prepare(`${SELECT_MAIL} WHERE to_agent = ? ${term} ORDER BY no DESC LIMIT ?`);
  const selectAll = prepare('');
  const selectUndelivered = prepare('AND delivered_at_ms IS NULL');
  const selectDelivered = prepare('AND delivered_at_ms IS NOT NULL');

  return ({ agentId, limit, isUndelivered }: MailFilter): Mail[] => {
    const delivery = isUndelivered ? selectUndelivered : selectDelivered;
    const select = isUndelivered === undefined ? selectAll : delivery;
    // A negative limit means none to SQLite.
    const size = Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_MAIL));
    return allRows<MailRow>(select, agentId, size).map(toMail);
  };
}
