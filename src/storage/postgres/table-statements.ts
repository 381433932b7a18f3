import type { Change } from '../../core/store/change.ts';
import type { Need } from '../../core/store/need.ts';
import { type Column, type Kind, toColumns } from '../tables/column.ts';
import { findQuery, findTable } from '../tables/declared.ts';
import {
  type Dialect,
  encodeAll,
  isFindable,
  isPage,
  onConflict,
  type Rendered,
  renderCount,
  renderExpire,
  renderFind,
  renderList,
  renderPatch,
  renderQuery,
  renderRemove,
} from '../tables/render.ts';
import type { Table } from '../tables/table.ts';
import { clockSql, type Statement } from './statement.ts';

const TYPES: Readonly<Record<Kind, string>> = {
  text: 'text',
  id: 'text',
  ordered: 'text',
  json: 'text',
  loose: 'text',
  ms: 'bigint',
  int: 'bigint',
  real: 'double precision',
  flag: 'boolean',
  blob: 'bytea',
};

const POSTGRES: Dialect = {
  parameter: (index, { kind }) => `$${index}::${TYPES[kind]}`,
  now: clockSql,
  anyOf: (index, { name, kind }) => `${name} = any($${index}::${TYPES[kind]}[])`,
  flag: String,
  toList: (texts) => texts,
  skipLocked: ' for update skip locked',
};

const COUNTED: readonly Column[] = toColumns<{ rows: number }>({ rows: 'int' });

/** How a need is asked for, and what its rows consist of. Undefined when nothing can be there. */
export interface Question {
  readonly statement: Statement;
  readonly columns: readonly Column[];
}

/** `nowMs`: replaces the database's clock, in tests. */
export function toQuestion(need: Need, nowMs: number | null): Question | undefined {
  switch (need.need) {
    case 'find': {
      const table = findTable(need.from);
      if (!isFindable(table.key, need.key)) return undefined;
      return { statement: named(renderFind(POSTGRES, table, need.key)), columns: table.columns };
    }
    case 'list': {
      const table = findTable(need.from);
      if (!isPage(table, need.page)) return undefined;
      return { statement: named(renderList(POSTGRES, table, need.page)), columns: table.columns };
    }
    case 'count': {
      const table = findTable(need.from);
      if (!isFindable(table.columns, need.among.of ?? {})) return undefined;
      return { statement: named(renderCount(POSTGRES, table, need.among)), columns: COUNTED };
    }
    case 'ask': {
      const sql = findQuery(need.query);
      if (!isFindable(sql.params, need.params)) return undefined;
      return {
        statement: named(renderQuery(POSTGRES, sql, { params: need.params, nowMs })),
        columns: sql.answer,
      };
    }
  }
}

/** In the order of the changes; rows put into one table one after the other travel together. */
export function toStatements(changes: readonly Change[]): Statement[] {
  const statements: Statement[] = [];
  let rows: object[] = [];
  changes.forEach((change, index) => {
    if (change.change !== 'put') {
      statements.push(named(render(change)));
      return;
    }
    rows.push(change.row);
    const next = changes[index + 1];
    if (next?.change === 'put' && next.into === change.into) return;
    statements.push(renderPut(findTable(change.into), rows));
    rows = [];
  });
  return statements;
}

function render(change: Exclude<Change, { change: 'put' }>): Rendered {
  switch (change.change) {
    case 'patch':
      return renderPatch(POSTGRES, findTable(change.into), change);
    case 'remove':
      return renderRemove(POSTGRES, findTable(change.from), change.key);
    case 'expire':
      return renderExpire(POSTGRES, findTable(change.from), change.past);
  }
}

/** Each column travels as an array. The last of several rows with one key counts: no statement may write a row twice. */
function renderPut(table: Table, rows: readonly object[]): Statement {
  const { name, select, columns, key } = table;
  const byKey = new Map(rows.map((row) => [JSON.stringify(encodeAll(key, row)), row]));
  const encoded = [...byKey.values()].map((row) => encodeAll(columns, row));
  const arrays = columns.map(({ kind }, index) => `$${index + 1}::${TYPES[kind]}[]`).join(', ');
  return {
    name: `put_${name}`,
    text: `insert into ${name} (${select}) select * from unnest(${arrays}) ${onConflict(table)}`,
    values: columns.map((_, index) => encoded.map((row) => row[index])),
  };
}

const names = new Map<string, string>();

/** A connection prepares a text under one name: those that differ in their terms only are numbered. */
function named(rendered: Rendered): Statement {
  const known = names.get(rendered.text);
  const name = known ?? `${rendered.name}_${names.size}`;
  if (known === undefined) names.set(rendered.text, name);
  return { ...rendered, name };
}
