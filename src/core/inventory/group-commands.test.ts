import { expect, test } from 'vitest';
import { groupCommands } from './group-commands.ts';
import type { EntryOrigin, InventoryEntry } from './inventory-entry.ts';

function command(name: string, origin: EntryOrigin): InventoryEntry {
  return { kind: 'command', name, aliases: [], sourceHint: '', responsibility: '', origin };
}

test('puts every command into one group, in their order', () => {
  const plugin = command('kit:lint', 'plugin');
  const skill = command('plugin-writing', 'skill');
  const builtins = [command('runs list', 'builtin'), command('doctor', 'builtin')];

  expect(groupCommands([...builtins, plugin, skill])).toEqual({
    builtins,
    pluginLike: [plugin],
    skillLike: [skill],
  });
});
