import { send } from '../../../core/mail/stored-mail.ts';
import type { FiringRef, Notice } from '../../../core/schedule/job-store.ts';
import { MAX_NOTICES_IN_INBOX } from '../../job-rules.ts';
import { isStorableId } from '../../tables/column.ts';
import { readMark } from '../mark.ts';
import { appendMessages } from '../sessions/append-messages.ts';
import { lockSession } from '../sessions/session-writes.ts';
import type { Statement } from '../statement.ts';
import { toStatements } from '../table-statements.ts';
import { holdFound } from '../tables.ts';
import type { Transaction } from '../transact-once.ts';
import type { JobWriteDeps } from './job-writes.ts';

const SETTLE =
  'update job_firings set settled = true ' +
  'where job_id = $1 and first_slot_ms = $2 and run_id = $3 and not settled returning no';
const FIND_AGENT = 'select 1 as found from agents where id = $1';

/** What delivering the notice writes, once the time is known. */
type Delivery = (nowMs: number) => readonly Statement[];

const DROPPED: Delivery = () => [];

/** The firing's row is locked first: whoever comes second waits here, and then finds it settled. */
export function settleFiring(
  { database, nowMs }: JobWriteDeps,
  { jobId, slotMs, runId }: FiringRef,
  notice: Notice | undefined,
): Promise<boolean> {
  const values = [jobId, slotMs, runId];
  return database.transact(async (transaction) => {
    const [settled, deliver, mark] = await Promise.all([
      transaction.query({ name: 'settle_firing', text: SETTLE, values }),
      notice ? prepareDelivery(transaction, notice, nowMs?.()) : DROPPED,
      readMark(transaction, nowMs?.()),
    ]);
    const isFirst = settled.length > 0;
    return { value: isFirst, writes: isFirst ? deliver(mark.nowMs) : [], xid: mark.xid };
  });
}

async function prepareDelivery(
  transaction: Transaction,
  notice: Notice,
  overrideMs: number | undefined,
): Promise<Delivery> {
  if (notice.channel === 'session') {
    const { sessionId, message } = notice;
    if (!isStorableId(sessionId)) return DROPPED;
    const session = await lockSession(transaction, sessionId);
    return (nowMs) => appendMessages(session, [message], nowMs)?.writes ?? [];
  }
  const { mail } = notice;
  if (!isStorableId(mail.to)) return DROPPED;
  const sending = { mail, maxUndelivered: MAX_NOTICES_IN_INBOX };
  const [agents, found] = await Promise.all([
    transaction.query({ name: 'find_receiver', text: FIND_AGENT, values: [mail.to] }),
    holdFound(transaction, { write: send, given: sending }, overrideMs),
  ]);
  if (agents.length === 0) return DROPPED;
  return (nowMs) => toStatements(send.decide(found, sending, nowMs).changes);
}
