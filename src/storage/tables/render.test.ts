import { expect, test } from 'vitest';
import { collection, query } from '../../core/store/collection.ts';
import {
  type Dialect,
  isFindable,
  onConflict,
  renderCount,
  renderExpire,
  renderFind,
  renderList,
  renderPatch,
  renderQuery,
} from './render.ts';
import { querySql, table } from './table.ts';

const DIALECT: Dialect = {
  parameter: (index, { kind }) => `$${index}:${kind}`,
  now: (parameter) => `clock(${parameter})`,
  anyOf: (index, { name }) => `${name} among $${index}`,
  flag: String,
  toList: (texts) => texts,
  skipLocked: ' skip locked',
};

interface Thing {
  readonly count: number;
  readonly shelf: string;
  readonly name: string;
  readonly note: string | undefined;
}

/** Columns are declared in another order than the key. */
const THINGS = table(collection<Thing>()('things', 'shelf', 'name'), {
  count: 'int',
  name: 'text',
  shelf: 'id',
  note: 'text?',
});
const MARKS = table(collection<{ mark: string }>()('marks', 'mark'), { mark: 'ordered' });

const SELECT = 'select count, name, shelf, note from things';

test('a find names the whole key, in its own order', () => {
  const { text, values } = renderFind(DIALECT, THINGS, { name: 'a\0', shelf: 's' });

  expect(text).toBe(`${SELECT} where shelf = $1:id and name = $2:text`);
  expect(values).toEqual(['s', '"a\\u0000"']);
});

test('a list is in the order of what the key has besides', () => {
  const page = { of: { shelf: 's', note: undefined }, after: 'a', among: ['b', 'c\0'], limit: 3 };

  const { text, values } = renderList(DIALECT, THINGS, page);

  expect(text).toBe(
    `${SELECT} where shelf = $1:id and note is null and name > $2:text and name among $3 order by name limit $4:int`,
  );
  expect(values).toEqual(['s', '"a"', ['"b"', '"c\\u0000"'], 3]);
});

test('a list of all is in the order of the key', () => {
  const { text } = renderList(DIALECT, THINGS, { limit: 3 });

  expect(text).toBe(`${SELECT} order by shelf, name limit $1:int`);
});

test('a list by the whole key has nothing to be ordered by', () => {
  const { text } = renderList(DIALECT, THINGS, { of: { shelf: 's', name: 'n' }, limit: 3 });

  expect(text).toBe(`${SELECT} where name = $1:text and shelf = $2:id limit $3:int`);
});

test('among ids, those that could not have been stored are left out', () => {
  const ids = table(collection<{ id: string }>()('ids', 'id'), { id: 'id' });
  const among = ['a\0', 'b'];

  expect(renderList(DIALECT, ids, { among, limit: 1 }).values).toEqual([['b'], 1]);
  expect(renderList(DIALECT, MARKS, { among, limit: 1 }).values).toEqual([
    ['a\u0001\u0001', 'b'],
    1,
  ]);
});

test('a count goes no further than it has to', () => {
  const { text, values } = renderCount(DIALECT, THINGS, { of: { note: 'x' }, max: 9 });

  expect(text).toBe(
    'select count(*) as rows from (select 1 from things where note = $1:text limit $2:int) as counted',
  );
  expect(values).toEqual(['"x"', 9]);
});

test('a patch writes the fields it is given, also to nothing, and never the key', () => {
  const key = { shelf: 's', name: 'n' };
  const fields = { note: undefined, count: 2, shelf: 'other', unknown: 1 };

  const { text, values } = renderPatch(DIALECT, THINGS, { key, fields });

  expect(text).toBe(
    'update things set count = $1:int, note = $2:text where shelf = $3:id and name = $4:text',
  );
  expect(values).toEqual([2, null, 's', '"n"']);
});

test('a patch of nothing leaves the row as it is', () => {
  const { text, values } = renderPatch(DIALECT, MARKS, { key: { mark: 'm' }, fields: {} });

  expect(text).toBe('update marks set mark = $1:ordered where mark = $2:ordered');
  expect(values).toEqual(['m', 'm']);
});

test('what is past goes by a member that there is', () => {
  const past = { untilMs: 5, max: 2 };

  const { text, values } = renderExpire(DIALECT, THINGS, { ...past, by: 'count' });

  expect(text.replace(/\s+/g, ' ').trim()).toBe(
    'delete from things where (shelf, name) in ( select shelf, name from things where count <= $1:int order by count limit $2:int skip locked )',
  );
  expect(values).toEqual([5, 2]);
  expect(() => renderExpire(DIALECT, THINGS, { ...past, by: 'age' })).toThrow('things has no age');
});

test('a row with the key takes the new values, if there are any besides', () => {
  expect(onConflict(THINGS)).toBe(
    'on conflict (shelf, name) do update set count = excluded.count, note = excluded.note',
  );
  expect(onConflict(MARKS)).toBe('on conflict (mark) do nothing');
});

const asking = (text: string) =>
  querySql(query<{ owner: string; sinceMs: number }, { name: string }>('things_since'), {
    params: { owner: 'text', sinceMs: 'ms' },
    answer: { name: 'text' },
    text,
  });
const PARAMS = { owner: 'ada', sinceMs: 7 };

test('a parameter that is named twice travels once, and so does the time', () => {
  const sql = asking('at > :now - :sinceMs and at < :now and (:owner is null or o = :owner)');

  const { text, values } = renderQuery(DIALECT, sql, { params: PARAMS, nowMs: 100 });

  expect(text).toBe(
    'at > clock($1:ms) - $2:ms and at < clock($1:ms) and ($3:text is null or o = $3:text)',
  );
  expect(values).toEqual([100, 7, '"ada"']);
});

test('the time is left to the engine when nobody says it', () => {
  const { values } = renderQuery(DIALECT, asking(':now'), { params: PARAMS, nowMs: null });

  expect(values).toEqual([null]);
});

test('a parameter that was not declared is a mistake', () => {
  const sql = asking('o = :own');

  expect(() => renderQuery(DIALECT, sql, { params: PARAMS, nowMs: 1 })).toThrow(
    'things_since has no parameter own',
  );
});

test('only an id can be one that could not have been stored', () => {
  expect(isFindable(THINGS.key, { shelf: 's\0', name: 'n' })).toBe(false);
  expect(isFindable(THINGS.key, { shelf: 's', name: 'n\0' })).toBe(true);
  expect(isFindable(THINGS.columns, {})).toBe(true);
});
