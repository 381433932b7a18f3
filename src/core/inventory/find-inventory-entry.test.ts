import { expect, test } from 'vitest';
import { findInventoryEntry } from './find-inventory-entry.ts';
import type { InventoryEntry } from './inventory-entry.ts';

function entry(name: string, aliases: readonly string[] = []): InventoryEntry {
  return {
    kind: 'command',
    name,
    aliases,
    sourceHint: `${name}.ts`,
    responsibility: '',
    origin: 'builtin',
  };
}

const first = entry('shell.exec', ['BashTool', 'read']);
const second = entry('Read');
const twin = entry('SHELL.EXEC');

test('finds by name in any letter case, the first of several', () => {
  const found = findInventoryEntry([first, second, twin], 'Shell.Exec');

  expect(found).toEqual({ entry: first, spelling: 'shell.exec' });
});

test('answers for an alias in its usual spelling', () => {
  expect(findInventoryEntry([second, first], 'bashtool')).toEqual({
    entry: first,
    spelling: 'BashTool',
  });
});

test('prefers a name to an alias that another entry has', () => {
  expect(findInventoryEntry([first, second], 'READ')).toEqual({ entry: second, spelling: 'Read' });
});

test('finds nothing by a part of a name, or by none', () => {
  expect(findInventoryEntry([first], 'shell')).toBeUndefined();
  expect(findInventoryEntry([first], '')).toBeUndefined();
});
