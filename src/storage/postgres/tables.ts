import type { Found, Need, Needs } from '../../core/store/need.ts';
import type { Tables } from '../../core/store/tables.ts';
import type { Write } from '../../core/store/write.ts';
import { decodeRow, type StoredRow } from '../tables/table.ts';
import { holdLock } from './advisory-lock.ts';
import { readMark } from './mark.ts';
import type { Statement } from './statement.ts';
import type { StoreDeps } from './store-deps.ts';
import { toQuestion, toStatements } from './table-statements.ts';
import { encodeText } from './text-codec.ts';
import type { Transaction } from './transact-once.ts';

export function createTables({ database, nowMs }: Pick<StoreDeps, 'database' | 'nowMs'>): Tables {
  return {
    load: (need) => fetch(database.read, need, nowMs?.()),
    write: (write, given) =>
      database.transact(async (transaction) => {
        const [found, mark] = await Promise.all([
          holdFound(transaction, { write, given }, nowMs?.()),
          readMark(transaction, nowMs?.()),
        ]);
        const { value, changes } = write.decide(found, given, mark.nowMs);
        return { value, writes: toStatements(changes), xid: mark.xid };
      }),
  };
}

/** What a write has to know, with its locks held until the transaction ends. */
export async function holdFound<Given, Value, Asked extends Needs>(
  transaction: Transaction,
  { write, given }: { readonly write: Write<Given, Value, Asked>; readonly given: Given },
  overrideMs: number | undefined,
): Promise<Found<Asked>> {
  const locks = write.locks(given).map((name) => holdLock(transaction, 'tables', encodeText(name)));
  const needs = Object.entries(write.needs(given)).map(
    async ([name, need]) => [name, await fetch(transaction.query, need, overrideMs)] as const,
  );
  const [found] = await Promise.all([Promise.all(needs), ...locks]);
  return Object.fromEntries(found) as Found<Asked>;
}

async function fetch<Loaded>(
  ask: (statement: Statement) => Promise<StoredRow[]>,
  need: Need<Loaded>,
  overrideMs: number | undefined,
): Promise<Loaded> {
  const question = toQuestion(need, overrideMs ?? null);
  const stored = question ? await ask(question.statement) : [];
  const rows = stored.map((row) => decodeRow(question?.columns ?? [], row));
  return pick(need, rows) as Loaded;
}

/** A need's type says what its table or its query was declared to hold. */
function pick({ need }: Need, rows: readonly object[]): unknown {
  if (need === 'find') return rows[0];
  return need === 'count' ? ((rows[0] as { rows: number } | undefined)?.rows ?? 0) : rows;
}
