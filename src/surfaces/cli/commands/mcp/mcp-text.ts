import type { McpServerShape } from '../../../../operations/mcp/mcp-shapes.ts';
import { formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_NAME_CHARS = 64;
const MAX_REASON_CHARS = 500;

/** A server, what is wrong with it, and its tools under it. */
export function formatServer(server: McpServerShape, style: Style): string {
  const { server_info: info, last_error: error } = server;
  const facts = [
    style.bold(toOneLine(server.name, MAX_NAME_CHARS)),
    paintState(server.state, style),
    ...(server.transport === null ? [] : [server.transport]),
    ...(info === null ? [] : [toOneLine(`${info.name} ${info.version}`, MAX_NAME_CHARS)]),
  ];
  const lines = [
    ...(error === null ? [] : [style.red(describeFault(error))]),
    ...formatTable(server.tools.map(toRow)).split('\n'),
    ...server.rejected_tools.map(
      ({ name, reason }) =>
        `not taken  ${toOneLine(name, MAX_NAME_CHARS)}: ${toOneLine(reason, MAX_REASON_CHARS)}`,
    ),
  ].filter((line) => line !== '');
  return [facts.join('  '), ...lines.map((line) => `  ${line}`)].join('\n');
}

/** `initialize_handshake: the program ended`. */
export function describeFault(fault: { readonly phase: string; readonly message: string }): string {
  return toOneLine(`${fault.phase}: ${fault.message}`, MAX_REASON_CHARS);
}

export function countHeld({ tools }: McpServerShape): number {
  return tools.filter(({ status }) => status !== 'approved').length;
}

function toRow({ name, tool, status, hash }: McpServerShape['tools'][number]): string[] {
  const row = [status, toOneLine(tool, MAX_NAME_CHARS), toOneLine(name, MAX_NAME_CHARS)];
  // Whole, because an approval names it.
  return status === 'approved' ? row : [...row, hash];
}

function paintState(state: McpServerShape['state'], style: Style): string {
  switch (state) {
    case 'ready':
      return style.green(state);
    case 'waiting':
    case 'invalid':
      return style.red(state);
    default:
      return style.yellow(state);
  }
}
