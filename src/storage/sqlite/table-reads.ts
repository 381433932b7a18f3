import type { Need } from '../../core/store/need.ts';
import { findQuery, findTable } from '../tables/declared.ts';
import {
  type Dialect,
  isFindable,
  isPage,
  type Rendered,
  renderCount,
  renderFind,
  renderList,
  renderQuery,
} from '../tables/render.ts';
import { decodeRow, type StoredRow } from '../tables/table.ts';
import type { Database, Statement } from './driver.ts';

export const SQLITE: Dialect = {
  parameter: (index) => `?${index}`,
  now: (parameter) => parameter,
  anyOf: (index, { name }) => `${name} in (select value from json_each(?${index}))`,
  flag: (value) => (value ? '1' : '0'),
  toList: (texts) => JSON.stringify(texts),
  skipLocked: '',
};

/** Statements of one connection, each prepared when it is first used. */
export type Prepare = (text: string) => Statement;

export function createPrepare(db: Database): Prepare {
  const statements = new Map<string, Statement>();
  return (text) => {
    const known = statements.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    statements.set(text, statement);
    return statement;
  };
}

export type Load = <Loaded>(need: Need<Loaded>) => Loaded;

export function createLoad(prepare: Prepare, nowMs: () => number): Load {
  function readAll({ text, values }: Rendered): StoredRow[] {
    return prepare(text).all(...values.map(bind)) as unknown as StoredRow[];
  }

  function load(need: Need): unknown {
    switch (need.need) {
      case 'find': {
        const table = findTable(need.from);
        if (!isFindable(table.key, need.key)) return undefined;
        const [row] = readAll(renderFind(SQLITE, table, need.key));
        return row && decodeRow(table.columns, row);
      }
      case 'list': {
        const table = findTable(need.from);
        if (!isPage(table, need.page)) return [];
        return readAll(renderList(SQLITE, table, need.page)).map((row) =>
          decodeRow(table.columns, row),
        );
      }
      case 'count': {
        const table = findTable(need.from);
        if (!isFindable(table.columns, need.among.of ?? {})) return 0;
        return readAll(renderCount(SQLITE, table, need.among))[0]?.['rows'];
      }
      case 'ask': {
        const sql = findQuery(need.query);
        if (!isFindable(sql.params, need.params)) return [];
        return readAll(renderQuery(SQLITE, sql, { params: need.params, nowMs: nowMs() })).map(
          (row) => decodeRow(sql.answer, row),
        );
      }
    }
  }
  // A need's type says what its table or its query was declared to hold.
  return load as Load;
}

/** Truth values are 1 and 0 here. */
export function bind(value: unknown): string | number | Uint8Array | null {
  return typeof value === 'boolean'
    ? Number(value)
    : (value as string | number | Uint8Array | null);
}
