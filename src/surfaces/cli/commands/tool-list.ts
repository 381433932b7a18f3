import { defineCommand } from '../command.ts';
import { formatTable } from '../layout.ts';
import { openAdmin, withAdmin } from '../open-admin.ts';
import { toOneLine } from '../plain-text.ts';

export const toolList = defineCommand({
  usage: '',
  description:
    'Name, effect, circuit and where it comes from. Asks the running server, which also knows the tools of external\n' +
    'servers; else looks in this process.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw tool list', 'claw tool list --output-format json'],
  run: (_input, context) =>
    withAdmin(openAdmin(context), async (admin, via) => ({ via, ...(await admin.listTools()) })),
  fields: ({ via, tools }) => ({ tools_count: tools.length, tools, via }),
  text({ tools }) {
    if (tools.length === 0) return '(no tools)';
    return formatTable(
      tools.map((tool) => [
        toOneLine(tool.name, 100),
        tool.effect,
        tool.guarded ? tool.circuit_breaker.status : 'not guarded',
        toOneLine(tool.source, 100),
      ]),
    );
  },
});
