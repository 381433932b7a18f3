import type { Statement } from './statement.ts';

export type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

/** One statement for any number of rows: each column travels as an array. */
export interface Bulk<Row> {
  readonly name: string;
  readonly text: string;
  readonly columns: readonly Column<Row>[];
}

export function toStatements<Row>(bulk: Bulk<Row>, rows: readonly Row[]): Statement[] {
  if (rows.length === 0) return [];
  return [{ name: bulk.name, text: bulk.text, values: toArrays(bulk.columns, rows) }];
}

export function bulkInsert<Row>(table: string, columns: readonly Column<Row>[]): Bulk<Row> {
  const text = `insert into ${table} (${names(columns)}) select * from ${arrays(columns)}`;
  return { name: `insert_${table}`, text, columns };
}

export interface Upsert<Row> {
  readonly table: string;
  readonly columns: readonly Column<Row>[];
  readonly key: string;
  /** The columns that change. */
  readonly changing: readonly string[];
}

export function bulkUpsert<Row>({ table, columns, key, changing }: Upsert<Row>): Bulk<Row> {
  const sets = changing.map((column) => `${column} = excluded.${column}`).join(', ');
  const insert = bulkInsert(table, columns);
  const text = `${insert.text} on conflict (${key}) do update set ${sets}`;
  return { name: `upsert_${table}`, text, columns };
}

/** For rows that are locked. The first column says which; a `kept` one stays as it is where the row has no value. */
export function bulkUpdate<Row>(
  table: string,
  columns: readonly Column<Row>[],
  kept: readonly string[] = [],
): Bulk<Row> {
  const [key, ...changing] = columns.map(([name]) => name);
  const sets = changing.map((name) =>
    kept.includes(name) ? `${name} = coalesce(v.${name}, t.${name})` : `${name} = v.${name}`,
  );
  const values = `${arrays(columns)} as v(${names(columns)})`;
  const text = `update ${table} t set ${sets.join(', ')} from ${values} where t.${key} = v.${key}`;
  return { name: `update_${table}`, text, columns };
}

export function names<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(([name]) => name).join(', ');
}

/** All columns as parameters, the first of them with this number. */
export function arrays<Row>(columns: readonly Column<Row>[], first = 1): string {
  return `unnest(${columns.map(([, type], index) => `$${index + first}::${type}[]`).join(', ')})`;
}

export function toArrays<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(([, , value]) => rows.map((row) => value(row) ?? null));
}
