import { listMcpServers } from '../../../../operations/mcp/mcp.ts';
import { askMcp } from '../../ask/ask-mcp.ts';
import { defineCommand } from '../../program/command.ts';
import { countHeld, formatServer } from './mcp-text.ts';

export const mcpList = defineCommand({
  usage: '',
  description:
    'Each server of mcpServers with its state, its last error and its tools. A tool that is pending or changed is not\n' +
    'offered to agents until it is approved. Asks the running server; else connects from this process, which also\n' +
    'remembers what tools it sees for the first time.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw mcp list', 'claw mcp list --output-format json'],
  run: (_input, context) => askMcp(context, listMcpServers, {}),
  fields: ({ via, answer: { servers } }) => ({ servers_count: servers.length, servers, via }),
  text({ answer: { servers } }, style) {
    if (servers.length === 0) return '(no servers)';
    const isHeld = servers.some((server) => countHeld(server) > 0);
    return [
      ...servers.map((server) => formatServer(server, style)),
      ...(isHeld ? [style.dim('approve: claw mcp approve SERVER TOOL --hash HASH')] : []),
    ].join('\n');
  },
});
