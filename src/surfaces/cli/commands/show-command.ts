import { findInventoryEntry } from '../../../core/inventory/find-inventory-entry.ts';
import { toOneLine } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import { loadInventory } from './inventory/load-inventory.ts';
import { notInInventory } from './inventory/not-in-inventory.ts';

/** `tool circuit-breaker open` without quotes. */
const MAX_WORDS = 3;
/** A path can be this long. */
const MAX_LINE_CHARS = 4_096;

export const showCommand = defineCommand({
  usage: 'NAME',
  description:
    'Looks among the commands of this program, of plugins and of skills, whatever the letter case. Works without a\n' +
    'server, a database or a key.',
  args: { min: 1, max: MAX_WORDS },
  options: {},
  examples: ['claw show-command runs list', 'claw show-command doctor --output-format json'],
  async run({ args }, context) {
    const name = args.join(' ').trim();
    const { commands } = await loadInventory(context);
    const found = findInventoryEntry(commands, name);
    if (found) return found;
    throw await notInInventory(context.parts, { thing: 'command', name, entries: commands });
  },
  fields: ({ entry, spelling }) => ({
    name: spelling,
    found: true,
    source_hint: entry.sourceHint,
    responsibility: entry.responsibility,
    resolved_name: entry.name,
    origin: entry.origin,
  }),
  // Whoever may write a skill names its folder, and a name may hold what a terminal obeys.
  text: ({ entry, spelling }) =>
    [spelling, entry.sourceHint, entry.responsibility]
      .map((line) => toOneLine(line, MAX_LINE_CHARS))
      .join('\n'),
});
