import { listTools } from '../../../../operations/tools/tools.ts';
import { askTools } from '../../ask/ask-tools.ts';
import { formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { formatSwitchedOff } from '../switches/tool-switches.ts';

export const toolList = defineCommand({
  usage: '',
  description:
    'Name, effect, circuit and where it comes from; of one that is off, why, and how to switch it on. Asks the running\n' +
    'server, which also knows the tools of external servers; else looks in this process.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw tool list', 'claw tool list --output-format json'],
  run: (_input, context) => askTools(context, listTools, {}),
  fields: ({ via, answer: { tools } }) => ({ tools_count: tools.length, tools, via }),
  text({ answer: { tools } }, style) {
    if (tools.length === 0) return '(no tools)';
    const table = formatTable(
      tools.map((tool) => [
        toOneLine(tool.name, 100),
        tool.off === null ? tool.effect : 'off',
        tool.guarded ? tool.circuit_breaker.status : 'not guarded',
        toOneLine(tool.source, 100),
      ]),
    );
    return [table, ...formatSwitchedOff(tools, style)].join('\n');
  },
});
