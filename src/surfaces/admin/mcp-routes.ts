import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { encodePin, encodeServers } from './codec.ts';
import type { McpServers } from './mcp-servers.ts';
import { approveToolBody, mcpServerList, mcpToolParams, toolPin } from './schema.ts';

const TAGS = ['mcp'];

const listServers = {
  summary: 'List external tool servers',
  description: 'Every configured one with its tools and whether they are approved.',
  tags: TAGS,
  security: BEARER,
  querystring: noQuery,
  response: {
    200: answer('The servers, by name.', mcpServerList),
    ...errorAnswers(400, 401, 403, 429, 500),
  },
};

const approveTool = {
  summary: 'Approve what a tool says about itself',
  description:
    'A tool that is new, or says something else than before, is not offered to agents until then.',
  tags: TAGS,
  security: BEARER,
  params: mcpToolParams,
  querystring: noQuery,
  body: approveToolBody,
  response: {
    200: answer('What was approved.', toolPin),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

export function addMcpRoutes(app: SurfaceApp, servers: McpServers): void {
  app.get('/mcp', { schema: listServers }, async (_request, reply) =>
    reply.send(encodeServers(servers.status())),
  );

  app.post('/mcp/:server/tools/:tool/approve', { schema: approveTool }, async (request, reply) => {
    const { server, tool } = request.params;
    const hash = request.body?.hash;
    const seen = hash === undefined ? {} : { hash };
    return reply.send(encodePin(await servers.approve({ server, tool, ...seen })));
  });
}
