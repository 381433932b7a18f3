import type { AnyCollection, AnyQuery, Collection, Query } from '../../core/store/collection.ts';
import {
  type Column,
  type ColumnNames,
  decodeValue,
  type Kinds,
  type Stored,
  toColumns,
} from './column.ts';

/** A collection as both engines keep it. */
export interface Table {
  readonly of: AnyCollection;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly Column[];
  /** All columns, for a statement's list. */
  readonly select: string;
}

export function table<Row extends object, Key extends keyof Row & string>(
  of: Collection<Row, Key>,
  kinds: Kinds<Row>,
  names?: ColumnNames<Row>,
): Table {
  const columns = toColumns(kinds, names);
  const key = of.key.flatMap((name) => columns.filter(({ field }) => field === name));
  return { of, name: of.name, columns, key, select: nameAll(columns) };
}

/** The rows of a table told apart by another key, which is unique too: for reading. */
export function byOtherKey<Row extends object, Key extends keyof Row & string>(
  table: Table,
  of: Collection<Row, Key>,
): Table {
  const key = of.key.flatMap((name) => table.columns.filter(({ field }) => field === name));
  return { ...table, of, key };
}

export function nameAll(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}

export type StoredRow = Readonly<Record<string, Stored>>;

export function decodeRow(columns: readonly Column[], stored: StoredRow): object {
  const row: Record<string, unknown> = {};
  for (const column of columns)
    row[column.field] = decodeValue(column, stored[column.name] ?? null);
  return row;
}

/**
 * A question's SQL: for both engines, in lower case, with parameters as `:name`; `:now` is the store's own time,
 * which next to an indexed column stands in a selection of its own: PostgreSQL asks its clock for every row otherwise.
 */
export interface QuerySql {
  readonly of: AnyQuery;
  readonly params: readonly Column[];
  readonly answer: readonly Column[];
  readonly text: string;
}

export function querySql<Params extends object, Answer extends object>(
  of: Query<Params, Answer>,
  sql: {
    readonly params: Kinds<Params>;
    /** A table whose rows these are, or the columns that are selected. */
    readonly answer: Table | Kinds<Answer>;
    readonly text: string;
  },
): QuerySql {
  const { answer, text } = sql;
  const columns = 'columns' in answer ? answer.columns : toColumns(answer);
  return { of, params: toColumns(sql.params), answer: columns as readonly Column[], text };
}
