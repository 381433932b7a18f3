import { defined } from '../../core/defined.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodePin, encodeServers, encodeToolDeclarations } from './mcp-codec.ts';
import type { McpServers } from './mcp-servers.ts';

/** For those who only look. */
export interface McpReading {
  readonly mcp: Pick<McpServers, 'status'>;
}

export interface McpWriting extends McpReading {
  readonly mcp: McpServers;
}

const define = operationsWith(() => import('./mcp-shapes.ts'));

const TAGS = ['mcp'];
const MCP = '/api/admin/mcp';
const ONE_TOOL = `${MCP}/:server/tools/:tool` as const;

export const listMcpServers = define({
  name: 'mcp.list',
  method: 'GET',
  path: MCP,
  effect: 'read',
  summary: 'List external tool servers',
  description: 'Every configured one with its tools and whether they are approved.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500],
  wire: ({ mcpServerList }) => ({
    answers: { 200: answer('The servers, by name.', mcpServerList) },
  }),
  run: async ({ mcp }: McpReading) => encodeServers(await mcp.status()),
});

export const getMcpTool = define({
  name: 'mcp.tool',
  method: 'GET',
  path: ONE_TOOL,
  effect: 'read',
  summary: 'Read what a tool says about itself',
  description:
    'As its server shows it now, and as it was approved: what an approval is about. The texts are those of the server.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ mcpToolParams, mcpTool }) => ({
    params: mcpToolParams,
    answers: { 200: answer('The tool with both declarations.', mcpTool) },
  }),
  run: async ({ mcp }: McpWriting, { params }) => encodeToolDeclarations(await mcp.getPin(params)),
});

export const approveMcpTool = define({
  name: 'mcp.approve',
  method: 'POST',
  path: `${ONE_TOOL}/approve`,
  effect: 'write',
  summary: 'Approve what a tool says about itself',
  description:
    'A tool that is new, or says something else than before, is not offered to agents until then.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ mcpToolParams, approveToolBody, toolPin }) => ({
    params: mcpToolParams,
    body: approveToolBody,
    answers: { 200: answer('What was approved.', toolPin) },
  }),
  async run({ mcp }: McpWriting, { params: { server, tool }, body }) {
    const hash = body?.hash;
    const seen = defined({ hash });
    return encodePin(await mcp.approve({ server, tool, ...seen }));
  },
});

/** In the order of the documentation. */
export const MCP_OPERATIONS: readonly AnyOperation<McpWriting>[] = [
  listMcpServers,
  getMcpTool,
  approveMcpTool,
];
