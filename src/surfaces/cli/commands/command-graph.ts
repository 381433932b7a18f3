import { groupCommands } from '../../../core/inventory/group-commands.ts';
import { defineCommand } from '../program/command.ts';
import { encodeEntry, encodeProblems, problemLines } from './inventory/inventory-text.ts';
import { loadInventory } from './inventory/load-inventory.ts';

export const commandGraph = defineCommand({
  usage: '',
  description:
    'Counts the commands of this program, of plugins (.claw/plugins) and of skills (.claw/skills, .agents/skills,\n' +
    '.codex/skills, skills, .claw/commands), in the state root, the home directory and the workspace. With\n' +
    '--output-format json it lists them. A skill or plugin that can not be used is named as a problem.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw command-graph', 'claw command-graph --output-format json'],
  async run(_input, context) {
    const { commands, problems } = await loadInventory(context);
    return { ...groupCommands(commands), total: commands.length, problems };
  },
  fields: ({ builtins, pluginLike, skillLike, total, problems }) => ({
    builtins_count: builtins.length,
    plugin_like_count: pluginLike.length,
    skill_like_count: skillLike.length,
    total_count: total,
    builtins: builtins.map(encodeEntry),
    plugin_like: pluginLike.map(encodeEntry),
    skill_like: skillLike.map(encodeEntry),
    problems: encodeProblems(problems),
  }),
  text: ({ builtins, pluginLike, skillLike, problems }, style) =>
    [
      '# Command Graph',
      '',
      `Builtins: ${builtins.length}`,
      `Plugin-like commands: ${pluginLike.length}`,
      `Skill-like commands: ${skillLike.length}`,
      ...problemLines(problems, style),
    ].join('\n'),
});
