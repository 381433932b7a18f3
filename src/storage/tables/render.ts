import { clampLimit } from '../../core/clamp-limit.ts';
import type { Past } from '../../core/store/change.ts';
import type { Among, Page } from '../../core/store/need.ts';
import { type Column, encodeValue, isStorableId, isWellFormed, type Stored } from './column.ts';
import { nameAll, type QuerySql, type Table } from './table.ts';

/** Where the engines' SQL differs. */
export interface Dialect {
  /** The `index`-th parameter, counted from 1. */
  parameter(index: number, column: Column): string;
  /** The store's time, unless it is given as this parameter. */
  now(parameter: string): string;
  /** Whether the column has one of the texts that are given as this parameter. */
  anyOf(index: number, column: Column): string;
  /** Those texts as one value. */
  toList(texts: readonly Stored[]): unknown;
  /** A truth value as it is written. */
  flag(value: boolean): string;
  /** Ends a selection of rows that are about to be deleted: what another node is deleting is left to it. */
  readonly skipLocked: string;
}

export interface Rendered {
  /** For people: statements that differ in their terms share it. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A parameter that stands for the store's time is filled in by the engine. */
const NOW: Column = { field: 'now', name: 'now', kind: 'ms', isOptional: true };

export function renderFind(dialect: Dialect, { name, select, key }: Table, by: object): Rendered {
  return {
    name: `find_${name}`,
    text: `select ${select} from ${name} where ${matchAll(dialect, key)}`,
    values: encodeAll(key, by),
  };
}

export function renderList(dialect: Dialect, table: Table, page: Page<object>): Rendered {
  const { of = {}, after, among, limit } = page;
  const { given, terms, values } = renderWhere(dialect, table, of);
  const order = table.key.filter((column) => !given.includes(column));
  const last = order.at(-1);
  if (last && after !== undefined) {
    if (order.length > 1) throw new TypeError(`${table.name} has no one place to go on after`);
    const parameter = dialect.parameter(values.push(encodeValue(last, after)), last);
    terms.push(`${last.name} > ${parameter}`);
  }
  if (last && among) {
    const texts = among
      .filter((text) => isFindable([last], { [last.field]: text }))
      .map((text) => encodeValue(last, text));
    terms.push(dialect.anyOf(values.push(dialect.toList(texts)), last));
  }
  const size = dialect.parameter(values.push(limit), LIMIT);
  // Whoever gives the whole key gets one row at most.
  const ordered = order.length > 0 ? ` order by ${nameAll(order)}` : '';
  return {
    name: `list_${table.name}`,
    text: `select ${table.select} from ${table.name}${where(terms)}${ordered} limit ${size}`,
    values,
  };
}

export function renderCount(
  dialect: Dialect,
  table: Table,
  { of = {}, max }: Among<object>,
): Rendered {
  const { terms, values } = renderWhere(dialect, table, of);
  const size = dialect.parameter(
    values.push(clampLimit(Math.ceil(max), Number.MAX_SAFE_INTEGER)),
    LIMIT,
  );
  return {
    name: `count_${table.name}`,
    text: `select count(*) as rows from (select 1 from ${table.name}${where(terms)} limit ${size}) as counted`,
    values,
  };
}

function where(terms: readonly string[]): string {
  return terms.length > 0 ? ` where ${terms.join(' and ')}` : '';
}

interface Where {
  readonly given: readonly Column[];
  readonly terms: string[];
  readonly values: unknown[];
}

function renderWhere(dialect: Dialect, { columns }: Table, of: object): Where {
  const given = columns.filter(({ field }) => Object.hasOwn(of, field));
  const values: unknown[] = [];
  const terms = given.map((column) => {
    const value = encodeValue(column, (of as Record<string, unknown>)[column.field]);
    if (value === null) return `${column.name} is null`;
    // As it is: an index over some of the rows is found only by what stands in the statement itself.
    if (column.kind === 'flag') return `${column.name} = ${dialect.flag(value === true)}`;
    return `${column.name} = ${dialect.parameter(values.push(value), column)}`;
  });
  return { given, terms, values };
}

const LIMIT: Column = { field: 'limit', name: 'limit', kind: 'int', isOptional: false };

export interface Asked {
  readonly params: object;
  /** What `:now` stands for; null leaves it to the engine. */
  readonly nowMs: number | null;
}

export function renderQuery(dialect: Dialect, query: QuerySql, { params, nowMs }: Asked): Rendered {
  const values: Stored[] = [];
  const places = new Map<string, string>();
  const place = (column: Column, value: Stored): string => {
    const known = places.get(column.field);
    if (known !== undefined) return known;
    const parameter = dialect.parameter(values.push(value), column);
    const made = column === NOW ? dialect.now(parameter) : parameter;
    places.set(column.field, made);
    return made;
  };
  const text = query.text.replace(/:([a-z]\w*)/gi, (_, field: string) => {
    if (field === NOW.field) return place(NOW, nowMs);
    const column = query.params.find((one) => one.field === field);
    if (!column) throw new TypeError(`${query.of.name} has no parameter ${field}`);
    return place(column, encodeValue(column, (params as Record<string, unknown>)[field]));
  });
  return { name: query.of.name, text, values };
}

/** Ids that could not have been stored are nowhere: nothing has to be asked. */
export function isFindable(columns: readonly Column[], by: object): boolean {
  return columns.every(({ kind, field }) => {
    const value = (by as Record<string, unknown>)[field];
    if (typeof value !== 'string') return true;
    if (kind === 'id') return isStorableId(value);
    return kind !== 'ordered' || isWellFormed(value);
  });
}

/** Whether anything can be on it. */
export function isPage({ columns, key }: Table, { of = {}, after }: Page<object>): boolean {
  const last = key.at(-1);
  return isFindable(columns, of) && (!last || isFindable([last], { [last.field]: after }));
}

export function encodeAll(columns: readonly Column[], from: object): Stored[] {
  return columns.map((column) =>
    encodeValue(column, (from as Record<string, unknown>)[column.field]),
  );
}

function matchAll(dialect: Dialect, columns: readonly Column[], from = 1): string {
  return columns.map((column, index) => match(dialect, column, index + from)).join(' and ');
}

function match(dialect: Dialect, column: Column, index: number): string {
  return `${column.name} = ${dialect.parameter(index, column)}`;
}

/** Columns that a row's key does not say. */
function restOf({ columns, key }: Table): Column[] {
  return columns.filter((column) => !key.includes(column));
}

export interface Patch {
  readonly key: object;
  readonly fields: object;
}

export function renderPatch(dialect: Dialect, table: Table, { key, fields }: Patch): Rendered {
  const given = restOf(table).filter(({ field }) => Object.hasOwn(fields, field));
  // SQL has no update of nothing: then the key is written over itself.
  const [changing, from] = given.length > 0 ? [given, fields] : [table.key, key];
  const sets = changing.map((column, index) => match(dialect, column, index + 1)).join(', ');
  return {
    name: `patch_${table.name}`,
    text: `update ${table.name} set ${sets} where ${matchAll(dialect, table.key, changing.length + 1)}`,
    values: [...encodeAll(changing, from), ...encodeAll(table.key, key)],
  };
}

export function renderRemove(dialect: Dialect, { name, key }: Table, by: object): Rendered {
  return {
    name: `remove_${name}`,
    text: `delete from ${name} where ${matchAll(dialect, key)}`,
    values: encodeAll(key, by),
  };
}

/** In the order of time, so that nothing past is left behind for long. */
export function renderExpire(dialect: Dialect, table: Table, past: Past): Rendered {
  const { name, key, columns } = table;
  const by = columns.find(({ field }) => field === past.by);
  if (!by) throw new TypeError(`${name} has no ${past.by}`);
  const keys = nameAll(key);
  const text = `
    delete from ${name} where (${keys}) in (
      select ${keys} from ${name} where ${by.name} <= ${dialect.parameter(1, by)}
      order by ${by.name} limit ${dialect.parameter(2, LIMIT)}${dialect.skipLocked}
    )`;
  return { name: `expire_${name}`, text, values: [past.untilMs, past.max] };
}

/** Follows an insertion: the row that has the key already takes the new values. */
export function onConflict(table: Table): string {
  const sets = restOf(table).map(({ name }) => `${name} = excluded.${name}`);
  const action = sets.length > 0 ? `update set ${sets.join(', ')}` : 'nothing';
  return `on conflict (${nameAll(table.key)}) do ${action}`;
}
