import type { ImportStep } from '../../core/parcels/import-store.ts';
import { assertCreated } from '../job-rules.ts';
import { readSteps, type StagedSteps } from '../staged-steps.ts';
import { findWrite } from '../tables/declared.ts';
import { toStatements } from './bulk.ts';
import { type JobWriteDeps, planJob } from './jobs/job-writes.ts';
import { type Mark, readMark } from './mark.ts';
import { INSERT_MESSAGES } from './sessions/message-row.ts';
import { INSERT_SESSIONS } from './sessions/session-row.ts';
import type { Statement } from './statement.ts';
import { toStatements as toTableStatements } from './table-statements.ts';
import { holdFound } from './tables.ts';
import { encodeText } from './text-codec.ts';
import type { Transaction } from './transact-once.ts';

const INSERT_SUMMARY =
  'insert into session_summaries (session_id, text, exchange, position) values ($1, $2, $3, $4)';

const COUNT_MESSAGES = `
  update sessions set message_count = message_count + $2, last_exchange = greatest(last_exchange, $3)
  where id = $1`;

/** Takes the steps of an import in one transaction: all of them, or none. */
export function importSteps({ database, nowMs }: JobWriteDeps, steps: StagedSteps): Promise<void> {
  return database.transact(async (transaction) => {
    const mark = await readMark(transaction, nowMs?.());
    for (const step of readSteps(steps)) {
      const statements = await toWrites(transaction, step, { mark, overrideMs: nowMs?.() });
      for (const statement of statements) await transaction.query(statement);
    }
    return { value: undefined, writes: [], xid: mark.xid };
  });
}

interface Time {
  readonly mark: Mark;
  readonly overrideMs: number | undefined;
}

async function toWrites(
  transaction: Transaction,
  step: ImportStep,
  { mark, overrideMs }: Time,
): Promise<readonly Statement[]> {
  switch (step.step) {
    case 'write': {
      const { given } = step;
      const write = findWrite(step.name);
      const found = await holdFound(transaction, { write, given }, overrideMs);
      return toTableStatements(write.decide(found, given, mark.nowMs).changes);
    }
    case 'session':
      return writeSession(step);
    case 'messages':
      return writeMessages(step);
    case 'job': {
      const { value, writes } = await planJob(transaction, step, mark.nowMs);
      assertCreated(value, step.job);
      return writes;
    }
  }
}

function writeSession({ session, summary }: Extract<ImportStep, { step: 'session' }>): Statement[] {
  const insert = toStatements(INSERT_SESSIONS, [session]);
  if (!summary) return insert;
  const { exchange, position } = summary.through;
  const values = [session.id, encodeText(summary.text), exchange, position];
  return [...insert, { name: 'insert_summary', text: INSERT_SUMMARY, values }];
}

function writeMessages(step: Extract<ImportStep, { step: 'messages' }>): Statement[] {
  const { sessionId, messages } = step;
  const last = Math.max(...messages.map(({ exchange }) => exchange));
  const rows = messages.map((message) => ({ ...message, sessionId }));
  const values = [sessionId, messages.length, last];
  const count = { name: 'count_messages', text: COUNT_MESSAGES, values };
  return [...toStatements(INSERT_MESSAGES, rows), count];
}
