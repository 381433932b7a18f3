import { RuntimeError } from '../../core/errors.ts';
import { clockSql } from './statement.ts';
import type { Transaction } from './transact-once.ts';

export interface Mark {
  /** The transaction's own number. */
  readonly xid: string;
  readonly nowMs: number;
}

const MARK = `select pg_current_xact_id()::text as xid, ${clockSql('$1')} as "nowMs"`;

/** Which transaction this is and when. Asked last, so that the clock is read after the locks were granted. */
export async function readMark(
  transaction: Transaction,
  overrideNowMs: number | undefined,
): Promise<Mark> {
  const values = [overrideNowMs ?? null];
  const [row] = await transaction.query<Mark>({ name: 'mark', text: MARK, values });
  if (!row) throw new RuntimeError('internal', 'postgres told no time');
  return row;
}
