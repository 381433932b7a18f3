import { expect, test } from 'vitest';
import { collection, query } from '../../core/store/collection.ts';
import { findQuery, findTable, findWrite, QUERIES, TABLES } from './declared.ts';
import { decodeRow } from './table.ts';

test('every name is declared once', () => {
  const names = [...TABLES, ...QUERIES].map(({ of }) => of.name);

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('what nobody declared is a mistake, also when its name is that of another', () => {
  const undeclared = 'is not declared in storage/tables';

  expect(() => findTable(collection<{ id: string }>()('agents', 'id'))).toThrow(undeclared);
  expect(() => findQuery(query('mail_of_key'))).toThrow(undeclared);
  expect(() => findWrite('agents.forget')).toThrow(undeclared);
});

test.each(TABLES)('$name has a column for each member of its key, in its order', (table) => {
  expect(table.key.map(({ field }) => field)).toEqual(table.of.key);
});

test('a row that lacks a column has nothing there', () => {
  const columns = TABLES.find(({ name }) => name === 'agents')?.columns ?? [];

  expect(decodeRow(columns, { id: 'agent_a' })).toMatchObject({ id: 'agent_a', model: undefined });
});
