import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

const XID = 'select pg_current_xact_id()::text as xid';

/** One statement whose effect must be told apart from its repetition: asked again it would answer otherwise. */
export function writeOnce<Row>(database: Database, statement: Statement): Promise<Row[]> {
  return database.transact(async (transaction) => {
    const [value, mark] = await Promise.all([
      transaction.query<Row>(statement),
      transaction.query<{ xid: string }>({ name: 'xid', text: XID, values: [] }),
    ]);
    return { value, writes: [], xid: mark[0]?.xid };
  });
}
