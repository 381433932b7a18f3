import { BUILT_IN_TOOLS } from '../../../../core/inventory/built-in-tools.ts';
import type {
  ExtensionEntry,
  ExtensionProblem,
  InventoryEntry,
  ToolEntry,
} from '../../../../core/inventory/inventory-entry.ts';
import { SLASH_COMMANDS } from '../../chat/slash-commands.ts';
import type { CliContext } from '../../program/context.ts';

export interface LoadedInventory {
  readonly commands: readonly (InventoryEntry | ExtensionEntry)[];
  readonly tools: readonly ToolEntry[];
  /** Skills and plugins that could not be used. */
  readonly problems: readonly ExtensionProblem[];
}

const SLASH_COMMAND_SOURCE = 'src/surfaces/cli/chat/slash-commands.ts';

/** What this program and the folders around it offer: built in first, then plugins, then skills. */
export async function loadInventory(
  context: Pick<CliContext, 'root' | 'parts' | 'commands'>,
): Promise<LoadedInventory> {
  const { entries, problems } = await context.parts.findExtensions(context.root);
  const builtIn = [
    ...context.commands.list().map(({ name, summary, source }) => toEntry(name, summary, source)),
    ...SLASH_COMMANDS.map(({ name, summary }) => toEntry(name, summary, SLASH_COMMAND_SOURCE)),
  ];
  const plugins = entries.filter(({ origin }) => origin === 'plugin');
  const skills = entries.filter(({ origin }) => origin === 'skill');
  return { commands: [...builtIn, ...plugins, ...skills], tools: BUILT_IN_TOOLS, problems };
}

function toEntry(name: string, responsibility: string, sourceHint: string): InventoryEntry {
  return { kind: 'command', name, aliases: [], sourceHint, responsibility, origin: 'builtin' };
}
