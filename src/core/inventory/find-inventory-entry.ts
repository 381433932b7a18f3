import type { InventoryEntry } from './inventory-entry.ts';

export interface FoundEntry<Entry extends InventoryEntry> {
  readonly entry: Entry;
  /** The name that was asked for, as it is usually written; an alias stays the alias. */
  readonly spelling: string;
}

/** By name, else by alias, whatever the letter case. The first of several wins: what is built in comes first. */
export function findInventoryEntry<Entry extends InventoryEntry>(
  entries: readonly Entry[],
  name: string,
): FoundEntry<Entry> | undefined {
  const wanted = name.toLowerCase();
  const named = entries.find((entry) => entry.name.toLowerCase() === wanted);
  if (named) return { entry: named, spelling: named.name };
  for (const entry of entries) {
    const spelling = entry.aliases.find((alias) => alias.toLowerCase() === wanted);
    if (spelling !== undefined) return { entry, spelling };
  }
  return undefined;
}
