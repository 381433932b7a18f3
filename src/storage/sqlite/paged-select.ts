import { clampLimit } from '../../core/clamp-limit.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Database, Statement } from './driver.ts';
import { allRows, type Bindable, getRow } from './rows.ts';

export interface PagedSelect {
  /** Named in faults: an effect, an approval. */
  readonly noun: string;
  readonly table: string;
  readonly select: string;
  readonly maxRows: number;
}

export interface Page {
  /** SQL terms with one parameter each; those without a value are left out. */
  readonly terms: readonly (readonly [term: string, value: string | undefined])[];
  readonly before: string | undefined;
  readonly limit: number;
}

/** Rows of a table numbered by `no`, newest first. Each combination of filters is prepared once, on its index. */
export function createPagedSelect<Row>(
  db: Database,
  { noun, table, select, maxRows }: PagedSelect,
) {
  const selectNo = db.prepare(`SELECT no FROM ${table} WHERE id = ?`);
  const statements = new Map<string, Statement>();

  function prepare(terms: readonly string[]): Statement {
    const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
    const sql = `${select} ${where} ORDER BY ${table}.no DESC LIMIT ?`;
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return ({ terms, before, limit }: Page): { rows: Row[]; hasMore: boolean } => {
    const used: string[] = [];
    const values: Bindable[] = [];
    for (const [term, value] of terms) {
      if (value === undefined) continue;
      used.push(term);
      values.push(value);
    }
    if (before !== undefined) {
      const position = getRow<{ no: number }>(selectNo, before);
      if (!position) throw new RuntimeError('invalid_input', `cursor ${before} is not ${noun}`);
      used.push(`${table}.no < ?`);
      values.push(position.no);
    }
    const size = clampLimit(limit, maxRows);
    // One more than asked for tells whether there is a next page.
    const rows = allRows<Row>(prepare(used), ...values, size + 1);
    return { rows: rows.slice(0, size), hasMore: rows.length > size };
  };
}
