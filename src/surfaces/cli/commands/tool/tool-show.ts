import { getTool } from '../../../../operations/tools/tools.ts';
import { namingTool, parseToolName } from '../../admin-arguments.ts';
import { askTools } from '../../ask/ask-tools.ts';
import { defineCommand } from '../../program/command.ts';
import { formatTool } from './tool-text.ts';

export const toolShow = defineCommand({
  usage: 'TOOL',
  description: 'Asks the running server, else looks in this process. Aliases are names too.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw tool show http.request', 'claw tool show fs.write --output-format json'],
  async run({ args }, context) {
    const name = parseToolName(args[0], 'tool show');
    return namingTool(name, askTools(context, getTool, { params: { tool: name } }));
  },
  fields: ({ via, answer: tool }) => ({ ...tool, via }),
  text: ({ answer: tool }, style) => formatTool(tool, style),
});
