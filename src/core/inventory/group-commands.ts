import type { InventoryEntry } from './inventory-entry.ts';

export interface CommandGroups {
  readonly builtins: readonly InventoryEntry[];
  readonly pluginLike: readonly InventoryEntry[];
  readonly skillLike: readonly InventoryEntry[];
}

/** Every command in exactly one group, by where it comes from. */
export function groupCommands(commands: readonly InventoryEntry[]): CommandGroups {
  return {
    builtins: commands.filter(({ origin }) => origin !== 'plugin' && origin !== 'skill'),
    pluginLike: commands.filter(({ origin }) => origin === 'plugin'),
    skillLike: commands.filter(({ origin }) => origin === 'skill'),
  };
}
