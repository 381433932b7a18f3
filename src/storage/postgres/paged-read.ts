import { clampLimit } from '../../core/clamp-limit.ts';
import { RuntimeError } from '../../core/errors.ts';
import { isStorableId } from '../tables/column.ts';
import type { Database } from './database.ts';

export interface PagedRead {
  /** Named in faults: an effect, an approval. */
  readonly noun: string;
  readonly table: string;
  readonly columns: string;
  readonly maxRows: number;
  /** Each takes the value it is filtered by as its parameter; those without a value are left out. */
  readonly terms: readonly {
    readonly name: string;
    readonly term: (parameter: string) => string;
    readonly value: string | undefined;
  }[];
  readonly before: string | undefined;
  readonly limit: number;
}

/** Rows of a table numbered by `no`, newest first. */
export async function readPage<Row>(
  database: Database,
  page: PagedRead,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const { table, columns, before } = page;
  const size = clampLimit(page.limit, page.maxRows);
  // One more than asked for tells whether there is a next page.
  const values: (string | number)[] = [size + 1];
  const conditions: string[] = [];
  const names = [`list_${table}`];
  for (const { name, term, value } of page.terms) {
    if (value === undefined) continue;
    if (!isStorableId(value)) return { rows: [], hasMore: false };
    conditions.push(term(`$${values.push(value)}`));
    names.push(name);
  }
  if (before !== undefined) {
    const no = await findPosition(database, table, before);
    if (no === undefined) {
      throw new RuntimeError('invalid_input', `cursor ${before} is not ${page.noun}`);
    }
    conditions.push(`no < $${values.push(no)}`);
    names.push('before');
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const text = `select ${columns} from ${table} ${where} order by no desc limit $1`;
  const rows = await database.read<Row>({ name: names.join('_'), text, values });
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}

async function findPosition(
  database: Database,
  table: string,
  id: string,
): Promise<number | undefined> {
  if (!isStorableId(id)) return undefined;
  const [row] = await database.read<{ no: number }>({
    name: `position_${table}`,
    text: `select no from ${table} where id = $1`,
    values: [id],
  });
  return row?.no;
}
