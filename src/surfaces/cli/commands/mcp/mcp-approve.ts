import { approveMcpTool } from '../../../../operations/mcp/mcp.ts';
import { namingTool } from '../../admin-arguments.ts';
import { askMcp } from '../../ask/ask-mcp.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { naming, parseError } from '../../program/errors.ts';

const COMMAND = 'mcp approve';
const SERVERS_HINT = 'claw mcp list shows the servers and their tools';
const MAX_SERVER_CHARS = 128;
const MAX_TOOL_CHARS = 256;
const HASH = /^[0-9a-f]{64}$/;

export const mcpApprove = defineCommand({
  usage: 'SERVER TOOL [--hash HASH]',
  description:
    'Offers agents a tool that is new, or that says something else than it did when it was approved. TOOL is its name\n' +
    'as the server calls it. With --hash the approval is for what was looked at, and refused when the server shows\n' +
    'something else by now. Asks the running server; else connects from this process.',
  args: { min: 2, max: 2 },
  options: {
    hash: { kind: 'text', value: 'HASH', summary: 'of what was looked at, as claw mcp list shows' },
  },
  examples: [
    'claw mcp approve weather forecast',
    `claw mcp approve weather forecast --hash ${'0a'.repeat(32)}`,
  ],
  async run({ args, options }, context) {
    const server = parseName(args[0], 'server', MAX_SERVER_CHARS);
    const tool = parseName(args[1], 'tool', MAX_TOOL_CHARS);
    const hash = parseHash(options.hash);
    const asked = askMcp(context, approveMcpTool, { params: { server, tool }, body: { hash } });
    return naming(
      { thing: 'mcp_server', name: server, hint: SERVERS_HINT },
      namingTool(tool, asked, SERVERS_HINT),
    );
  },
  fields: ({ via, answer: pin }) => ({ ...pin, via }),
  text: ({ answer: pin }) =>
    `${toOneLine(pin.tool, 100)} of ${toOneLine(pin.server, 100)} is ${pin.status}`,
});

/** Whatever a server may call its tools, but not `..`: that would become another path on its way to a server. */
function parseName(name: string | undefined, thing: 'server' | 'tool', maxChars: number): string {
  if (name !== undefined && !/^\.{0,2}$/.test(name) && name.length <= maxChars) return name;
  throw parseError(`${JSON.stringify(name?.slice(0, maxChars) ?? '')} is not a ${thing}'s name`, {
    target: COMMAND,
    hint: SERVERS_HINT,
  });
}

function parseHash(hash: string | undefined): string | undefined {
  if (hash === undefined || HASH.test(hash)) return hash;
  throw parseError('option --hash must be 64 hexadecimal digits', {
    target: COMMAND,
    hint: SERVERS_HINT,
  });
}
