import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findCommandSource } from './command-source.ts';
import { COMMAND_TABLE } from './command-table.ts';

const CLI = new URL('../', import.meta.url);
const TABLE = /(?:-commands|command-table)\.ts$/;
const ENTRY = /name: '([^']+)',[^}]*?import\('([^']+)'\)/g;

/** What the tables really load, read from their source. */
function readLoadedFiles(): Map<string, string> {
  const tables = readdirSync(CLI, { recursive: true, encoding: 'utf8' }).filter((file) =>
    TABLE.test(file),
  );
  return new Map(tables.flatMap((file) => readEntries(new URL(file, CLI))));
}

function readEntries(table: URL): [name: string, file: string][] {
  const entries = readFileSync(table, 'utf8').matchAll(ENTRY);
  return Array.from(entries, ([, name = '', target = '']) => {
    const { pathname } = new URL(target, table);
    return [name, pathname.slice(pathname.lastIndexOf('/src/') + 1)];
  });
}

test('names the file that the table loads, for every command', () => {
  const loaded = readLoadedFiles();

  expect(COMMAND_TABLE.map(({ name }) => [name, findCommandSource(name)])).toEqual(
    COMMAND_TABLE.map(({ name }) => [name, loaded.get(name)]),
  );
});
