import { BUILT_IN_TOOLS } from '../../../core/inventory/built-in-tools.ts';
import { findInventoryEntry } from '../../../core/inventory/find-inventory-entry.ts';
import { defineCommand } from '../program/command.ts';
import { notInInventory } from './inventory/not-in-inventory.ts';

export const showTool = defineCommand({
  usage: 'NAME',
  description:
    'Looks among the built-in tools, by their own names and by familiar ones such as BashTool, whatever the letter case.\n' +
    'Works without a server, a database or a key. What a runtime knows about a tool is in claw tool show.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw show-tool fs.read', 'claw show-tool BashTool --output-format json'],
  choices: BUILT_IN_TOOLS.map(({ name }) => name),
  async run({ args: [name = ''] }, { parts }) {
    const found = findInventoryEntry(BUILT_IN_TOOLS, name.trim());
    if (found) return found;
    throw await notInInventory(parts, { thing: 'tool', name, entries: BUILT_IN_TOOLS });
  },
  fields: ({ entry, spelling }) => ({
    name: spelling,
    found: true,
    source_hint: entry.sourceHint,
    responsibility: entry.responsibility,
    resolved_name: entry.name,
    aliases: entry.aliases,
    effect: entry.effect,
  }),
  text: ({ entry, spelling }) => [spelling, entry.sourceHint, entry.responsibility].join('\n'),
});
