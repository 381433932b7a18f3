import type { ToolAdmin } from '../../core/tools/tool-admin.ts';
import {
  encodeCircuit,
  encodeKeyPage,
  encodeReport,
  encodeTool,
  encodeToolList,
} from '../http/admin-codec.ts';
import { decodeKeyQuery } from '../http/admin-queries.ts';
import {
  circuit,
  flushReceipt,
  idempotencyKeyList,
  reliabilityReport,
  toolDetail,
  toolList,
} from '../http/admin-shapes.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { flushBody, listKeysQuery, noBody, toolParams } from './schema.ts';

const COMMON = { tags: ['tools'], security: BEARER };
const READ_ERRORS = errorAnswers(400, 401, 403, 429, 500, 503);
const TOOL_ERRORS = errorAnswers(400, 401, 403, 404, 429, 500, 503);
const WRITE_ERRORS = errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503);

const SCHEMAS = {
  list: {
    ...COMMON,
    summary: 'List the tools',
    description: 'By name, those of external servers among them, each with its circuit.',
    querystring: noQuery,
    response: { 200: answer('The tools.', toolList), ...READ_ERRORS },
  },
  report: {
    ...COMMON,
    summary: 'What the reliability layer would have done',
    description: 'Counted while the mode is `shadow`, and kept over restarts.',
    querystring: noQuery,
    response: { 200: answer('The counts.', reliabilityReport), ...READ_ERRORS },
  },
  get: {
    ...COMMON,
    summary: 'Read a tool',
    description: 'Its effect, limits, reliability settings and circuit. Aliases are names too.',
    params: toolParams,
    querystring: noQuery,
    response: { 200: answer('The tool.', toolDetail), ...TOOL_ERRORS },
  },
  circuit: {
    ...COMMON,
    summary: "Read a tool's circuit breaker",
    description: 'As all processes that share it see it.',
    params: toolParams,
    querystring: noQuery,
    response: { 200: answer('The circuit.', circuit), ...TOOL_ERRORS },
  },
  openCircuit: {
    ...COMMON,
    summary: 'Cut a tool off',
    description: 'Its calls are refused at once, until somebody resets the circuit.',
    params: toolParams,
    querystring: noQuery,
    body: noBody,
    response: { 200: answer('The circuit, open.', circuit), ...WRITE_ERRORS },
  },
  resetCircuit: {
    ...COMMON,
    summary: "Close a tool's circuit",
    description: 'Whatever it was; what was counted is forgotten.',
    params: toolParams,
    querystring: noQuery,
    body: noBody,
    response: { 200: answer('The circuit, closed.', circuit), ...WRITE_ERRORS },
  },
  listKeys: {
    ...COMMON,
    summary: "List a tool's idempotency keys",
    description:
      'By key, without results. Only a `next_cursor` of null says that it is the last page.',
    params: toolParams,
    querystring: listKeysQuery,
    response: { 200: answer('One page of keys.', idempotencyKeyList), ...TOOL_ERRORS },
  },
  flushKeys: {
    ...COMMON,
    summary: "Forget a tool's idempotency keys",
    description:
      'One, or all. A flushed call may run again; the effect ledger keeps what it did the first time.',
    params: toolParams,
    querystring: noQuery,
    body: flushBody,
    response: { 200: answer('How many there were.', flushReceipt), ...WRITE_ERRORS },
  },
};

export function addToolRoutes(app: SurfaceApp, tools: ToolAdmin): void {
  app.get('/tools', { schema: SCHEMAS.list }, async (_request, reply) =>
    reply.send(encodeToolList(await tools.list())),
  );
  app.get('/tools/reliability-report', { schema: SCHEMAS.report }, async (_request, reply) =>
    reply.send(encodeReport(tools.report())),
  );
  app.get('/tools/:tool', { schema: SCHEMAS.get }, async (request, reply) =>
    reply.send(encodeTool(await tools.get(request.params.tool))),
  );
  addCircuitRoutes(app, tools);
  app.get('/tools/:tool/idempotency', { schema: SCHEMAS.listKeys }, async (request, reply) => {
    const page = await tools.listKeys(request.params.tool, decodeKeyQuery(request.query));
    return reply.send(encodeKeyPage(page));
  });
  app.post(
    '/tools/:tool/idempotency/flush',
    { schema: SCHEMAS.flushKeys },
    async (request, reply) => {
      const { tool, flushed } = await tools.flushKeys(request.params.tool, request.body?.key);
      return reply.send({ tool: tool.name, flushed });
    },
  );
}

function addCircuitRoutes(app: SurfaceApp, tools: ToolAdmin): void {
  const path = '/tools/:tool/circuit-breaker';
  app.get(path, { schema: SCHEMAS.circuit }, async (request, reply) =>
    reply.send(encodeCircuit(await tools.get(request.params.tool))),
  );
  app.post(`${path}/open`, { schema: SCHEMAS.openCircuit }, async (request, reply) =>
    reply.send(encodeCircuit(await tools.openCircuit(request.params.tool))),
  );
  app.post(`${path}/reset`, { schema: SCHEMAS.resetCircuit }, async (request, reply) =>
    reply.send(encodeCircuit(await tools.resetCircuit(request.params.tool))),
  );
}
