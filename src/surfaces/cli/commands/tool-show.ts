import { namingTool, parseToolName } from '../admin-arguments.ts';
import { defineCommand } from '../command.ts';
import { openAdmin, withAdmin } from '../open-admin.ts';
import { formatTool } from '../tool-text.ts';

export const toolShow = defineCommand({
  usage: 'TOOL',
  description: 'Asks the running server, else looks in this process. Aliases are names too.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw tool show http.request', 'claw tool show fs.write --output-format json'],
  async run({ args }, context) {
    const name = parseToolName(args[0], 'tool show');
    return withAdmin(openAdmin(context, { isLooking: true }), async (admin, via) => ({
      via,
      tool: await namingTool(name, admin.getTool(name)),
    }));
  },
  fields: ({ via, tool }) => ({ ...tool, via }),
  text: ({ tool }, style) => formatTool(tool, style),
});
