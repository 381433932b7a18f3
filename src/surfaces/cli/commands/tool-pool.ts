import { BUILT_IN_TOOLS } from '../../../core/inventory/built-in-tools.ts';
import { chooseTools } from '../../../core/inventory/choose-tools.ts';
import { defineCommand } from '../program/command.ts';

/** A person wants an impression; scripts read JSON and get all of them. */
const MAX_SHOWN = 15;

export const toolPool = defineCommand({
  usage: '[--simple-mode] [--no-mcp] [--deny-tool NAME]... [--deny-prefix PREFIX]...',
  description:
    'Lists the built-in tools, fewer with each option; familiar names such as BashTool are understood. Works without a\n' +
    'server, a database or a key, so tools of external servers are not among them: claw mcp list asks those. Which\n' +
    'tools an agent may use is in claw policy list.',
  args: { min: 0, max: 0 },
  options: {
    'simple-mode': { kind: 'flag', summary: 'only shell.exec, fs.read and fs.edit' },
    'no-mcp': { kind: 'flag', summary: 'without tools of external servers' },
    'deny-tool': { kind: 'list', value: 'NAME', summary: 'without this tool; may be repeated' },
    'deny-prefix': {
      kind: 'list',
      value: 'PREFIX',
      summary: 'without tools whose names begin so; may be repeated',
    },
  },
  examples: [
    'claw tool-pool',
    'claw tool-pool --simple-mode --deny-tool BashTool',
    'claw tool-pool --deny-prefix fs. --deny-prefix scheduler. --output-format json',
  ],
  async run({ options }) {
    const isSimple = options['simple-mode'];
    const includesMcp = !options['no-mcp'];
    const deniedNames = options['deny-tool'];
    const deniedPrefixes = options['deny-prefix'];
    const choice = { isSimple, includesMcp, deniedNames, deniedPrefixes };
    return { isSimple, includesMcp, tools: chooseTools(BUILT_IN_TOOLS, choice) };
  },
  fields: ({ isSimple, includesMcp, tools }) => ({
    simple_mode: isSimple,
    include_mcp: includesMcp,
    tool_count: tools.length,
    tools: tools.map(({ name, sourceHint, responsibility, effect }) => ({
      name,
      source_hint: sourceHint,
      responsibility,
      effect,
    })),
  }),
  text: ({ isSimple, includesMcp, tools }) =>
    [
      '# Tool Pool',
      '',
      `Simple mode: ${isSimple}`,
      `Include MCP: ${includesMcp}`,
      `Tool count: ${tools.length}`,
      ...tools.slice(0, MAX_SHOWN).map(({ name, sourceHint }) => `- ${name}: ${sourceHint}`),
      ...(tools.length > MAX_SHOWN ? [`… and ${tools.length - MAX_SHOWN} more`] : []),
    ].join('\n'),
});
