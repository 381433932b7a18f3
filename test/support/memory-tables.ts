import { isDeepStrictEqual } from 'node:util';
import { compareTexts } from '../../src/core/compare-texts.ts';
import type { Change, Past } from '../../src/core/store/change.ts';
import type {
  AnyCollection,
  AnyQuery,
  Collection,
  Query,
} from '../../src/core/store/collection.ts';
import type { Found, Need, Needs, Page } from '../../src/core/store/need.ts';
import type { Tables } from '../../src/core/store/tables.ts';
import type { Decided, Write } from '../../src/core/store/write.ts';
import { ManualClock } from './manual-clock.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a query sees. Rows are in the order in which they were first put, which engines count in a column. */
export interface Stored {
  readonly nowMs: number;
  rows<Row extends object, Key extends keyof Row & string>(of: Collection<Row, Key>): Row[];
}

/** Stands for a query's SQL. */
export interface QueryStub {
  readonly query: AnyQuery;
  answer(params: object, stored: Stored): object[];
}

export function stubQuery<Params extends object, Answer extends object>(
  query: Query<Params, Answer>,
  answer: (params: Params, stored: Stored) => Answer[],
): QueryStub {
  return { query, answer: (params, stored) => answer(params as Params, stored) };
}

export interface MemoryTables extends Tables, Pick<Stored, 'rows'> {
  readonly clock: ManualClock;
  /** Puts rows as they are, without any rule. */
  seed<Row extends object, Key extends keyof Row & string>(
    into: Collection<Row, Key>,
    rows: readonly Row[],
  ): void;
}

/** A collection whose rows are those of another one, told apart by another key. */
export interface View {
  readonly view: AnyCollection;
  readonly of: AnyCollection;
}

/**
 * Tables for tests of rules, without a database. Whatever goes in or out is a frozen copy, and every decision is made
 * twice: a rule that changes what it is given, or that answers by something else, fails here.
 */
export function createMemoryTables(
  stubs: readonly QueryStub[] = [],
  views: readonly View[] = [],
): MemoryTables {
  const clock = new ManualClock();
  const read = (of: AnyCollection) => [
    ...tableOf(views.find(({ view }) => view === of)?.of ?? of).values(),
  ];
  const tables = new Map<AnyCollection, Map<string, Fields>>();
  const rows = ((of: AnyCollection) => [...tableOf(of).values()]) as Stored['rows'];

  function tableOf(of: AnyCollection): Map<string, Fields> {
    const table = tables.get(of) ?? new Map<string, Fields>();
    tables.set(of, table);
    return table;
  }

  function fetch(need: Need): unknown {
    switch (need.need) {
      case 'find':
        return read(need.from).find((row) => keyOf(need.from, row) === keyOf(need.from, need.key));
      case 'list':
        return pageOf(need.from, read(need.from), need.page);
      case 'count':
        return matching([...tableOf(need.from).values()], need.among.of).slice(0, need.among.max)
          .length;
      case 'ask': {
        const stub = stubs.find(({ query }) => query === need.query);
        if (!stub) throw new TypeError(`the test has no answer to ${need.query.name}`);
        return stub.answer(need.params, { nowMs: clock.nowMs(), rows });
      }
    }
  }

  function apply(change: Change): void {
    switch (change.change) {
      case 'put':
        tableOf(change.into).set(keyOf(change.into, change.row), frozen(change.row as Fields));
        return;
      case 'patch': {
        const key = keyOf(change.into, change.key);
        const row = tableOf(change.into).get(key);
        if (row) tableOf(change.into).set(key, frozen({ ...row, ...change.fields }));
        return;
      }
      case 'remove':
        tableOf(change.from).delete(keyOf(change.from, change.key));
        return;
      case 'expire':
        for (const row of pastRows([...tableOf(change.from).values()], change.past))
          tableOf(change.from).delete(keyOf(change.from, row));
    }
  }

  function perform<Given, Value, Asked extends Needs>(
    write: Write<Given, Value, Asked>,
    given: Given,
  ): Value {
    const asked = frozen(given);
    const decided = () => decide(write, asked, { nowMs: clock.nowMs(), fetch });
    const { value, changes } = decided();
    if (!isDeepStrictEqual({ value, changes }, decided()))
      throw new TypeError(`${write.name} decides otherwise the second time`);
    for (const change of changes) apply(change);
    return frozen(value);
  }

  return {
    clock,
    rows,
    load: async <Loaded>(need: Need<Loaded>) => frozen(fetch(need)) as Loaded,
    write: async (write, given) => perform(write, given),
    seed(into, seeds) {
      for (const row of seeds) apply({ change: 'put', into, row });
    },
  };
}

interface Surroundings {
  readonly nowMs: number;
  fetch(need: Need): unknown;
}

function decide<Given, Value, Asked extends Needs>(
  write: Write<Given, Value, Asked>,
  given: Given,
  { nowMs, fetch }: Surroundings,
): Decided<Value> {
  if (write.locks(given).length === 0) throw new TypeError(`${write.name} holds no lock`);
  const found = Object.entries(write.needs(given)).map(([name, need]) => [name, fetch(need)]);
  return write.decide(frozen(Object.fromEntries(found)) as Found<Asked>, given, nowMs);
}

function keyOf({ key }: AnyCollection, row: object): string {
  return JSON.stringify(key.map((field) => (row as Fields)[field]));
}

function matching(rows: readonly Fields[], of: object = {}): Fields[] {
  const terms = Object.entries(of);
  return rows.filter((row) => terms.every(([field, value]) => row[field] === value));
}

function pageOf(from: AnyCollection, rows: readonly Fields[], page: Page<object>): Fields[] {
  const { of = {}, after, among, limit } = page;
  const order = from.key.filter((field) => !Object.hasOwn(of, field));
  const last = (row: Fields) => String(row[order.at(-1) ?? '']);
  return matching(rows, of)
    .filter((row) => after === undefined || compareTexts(last(row), after) > 0)
    .filter((row) => !among || among.includes(last(row)))
    .sort((a, b) => order.reduce((sign, field) => sign || compare(a[field], b[field]), 0))
    .slice(0, limit);
}

function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(`${a}`, `${b}`);
}

function pastRows(rows: readonly Fields[], { by, untilMs, max }: Past): Fields[] {
  const at = (row: Fields) => row[by] as number;
  return rows
    .filter((row) => row[by] !== undefined && at(row) <= untilMs)
    .sort((a, b) => at(a) - at(b))
    .slice(0, max);
}

/** A copy that nobody can change. */
function frozen<Value>(value: Value): Value {
  return freeze(structuredClone(value));
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
