import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findCommandSource } from './command-source.ts';
import { COMMAND_TABLE } from './command-table.ts';

const ROOT = new URL('../../../', import.meta.url);
const ENTRY = /name: '([^']+)',[^}]*?import\('\.\/(commands\/[^']+)'\)/g;

/** What the tables really load, read from their source. */
function readLoadedFiles(): Map<string, string> {
  const folder = new URL('src/surfaces/cli/', ROOT);
  const tables = readdirSync(folder).filter((name) =>
    /^(?:.*-commands|command-table)\.ts$/.test(name),
  );
  const found = tables.flatMap((name) => [
    ...readFileSync(new URL(name, folder), 'utf8').matchAll(ENTRY),
  ]);
  return new Map(found.map(([, name = '', file = '']) => [name, `src/surfaces/cli/${file}`]));
}

test('names the file that the table loads, for every command', () => {
  const loaded = readLoadedFiles();

  expect(COMMAND_TABLE.map(({ name }) => [name, findCommandSource(name)])).toEqual(
    COMMAND_TABLE.map(({ name }) => [name, loaded.get(name)]),
  );
});
