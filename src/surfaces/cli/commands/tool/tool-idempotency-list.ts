import { listToolKeys } from '../../../../operations/tools/tools.ts';
import { namingTool, parseToolName } from '../../admin-arguments.ts';
import { askTools } from '../../ask/ask-tools.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatDate, formatTable, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

const COMMAND = 'tool idempotency list';
const MAX_LIMIT = 100;

export const toolIdempotencyList = defineCommand({
  usage: 'TOOL [--limit N] [--cursor CURSOR]',
  description:
    'By key, without results. Asks the running server, else reads what a stopped one stored; keys that it kept in\n' +
    'Redis or in memory are not there.',
  args: { min: 1, max: 1 },
  options: pageOptions(MAX_LIMIT),
  examples: ['claw tool idempotency list http.request'],
  async run({ args, options }, context) {
    const name = parseToolName(args[0], COMMAND);
    const { limit = DEFAULT_LIMIT, cursor } = options;
    const input = { params: { tool: name }, query: { limit, cursor } };
    return namingTool(name, askTools(context, listToolKeys, input));
  },
  fields: ({ via, answer: list }) => ({
    tool: list.tool,
    keys_count: list.keys.length,
    keys: list.keys,
    next_cursor: list.next_cursor,
    via,
  }),
  text({ answer: list }, style) {
    if (list.keys.length === 0) return '(no keys)';
    const rows = list.keys.map((key) => [
      toOneLine(key.key, 100),
      key.state,
      `until ${formatDate(key.expires_at)}`,
      toOneLine(key.error_code ?? key.not_kept ?? '', 60),
    ]);
    return [formatTable(rows), ...moreLine(list.next_cursor, style)].join('\n');
  },
});
