import type { ToolAdmin } from '../../core/tools/tool-admin.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import {
  decodeKeyQuery,
  encodeCircuit,
  encodeKeyPage,
  encodeReport,
  encodeTool,
  encodeToolList,
} from './tool-codec.ts';

/** For those who only look. */
export interface ToolReading {
  readonly toolAdmin: Pick<ToolAdmin, 'list' | 'get' | 'listKeys' | 'report'>;
}

export interface ToolWriting extends ToolReading {
  readonly toolAdmin: ToolAdmin;
}

const define = operationsWith(() => import('./tool-shapes.ts'));

const TAGS = ['tools'];
const READ_ERRORS = [400, 401, 403, 429, 500, 503] as const;
const TOOL_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const WRITE_ERRORS = [400, 401, 403, 404, 413, 415, 429, 500, 503] as const;
const TOOLS = '/api/admin/tools';
const ONE_TOOL = `${TOOLS}/:tool` as const;
const CIRCUIT = `${ONE_TOOL}/circuit-breaker` as const;
const KEYS = `${ONE_TOOL}/idempotency` as const;

export const listTools = define({
  name: 'tools.list',
  method: 'GET',
  path: TOOLS,
  effect: 'read',
  summary: 'List the tools',
  description: 'By name, those of external servers among them, each with its circuit.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ toolList }) => ({ answers: { 200: answer('The tools.', toolList) } }),
  run: async ({ toolAdmin }: ToolReading) => encodeToolList(await toolAdmin.list()),
});

export const reportReliability = define({
  name: 'tools.report',
  method: 'GET',
  path: `${TOOLS}/reliability-report`,
  effect: 'read',
  summary: 'What the reliability layer would have done',
  description: 'Counted while the mode is `shadow`, and kept over restarts.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ reliabilityReport }) => ({
    answers: { 200: answer('The counts.', reliabilityReport) },
  }),
  run: async ({ toolAdmin }: ToolReading) => encodeReport(toolAdmin.report()),
});

export const getTool = define({
  name: 'tools.get',
  method: 'GET',
  path: ONE_TOOL,
  effect: 'read',
  summary: 'Read a tool',
  description: 'Its effect, limits, reliability settings and circuit. Aliases are names too.',
  tags: TAGS,
  errors: TOOL_ERRORS,
  wire: ({ toolParams, toolDetail }) => ({
    params: toolParams,
    answers: { 200: answer('The tool.', toolDetail) },
  }),
  async run({ toolAdmin }: ToolReading, { params }) {
    const state = await toolAdmin.get(params.tool);
    // Loaded only where a tool is described: it brings the schema library with it.
    const { inputSchemaOf } = await import('../../core/tools/input-schema.ts');
    return encodeTool(state, inputSchemaOf(state.tool));
  },
});

export const getCircuit = define({
  name: 'tools.circuit',
  method: 'GET',
  path: CIRCUIT,
  effect: 'read',
  summary: "Read a tool's circuit breaker",
  description: 'As all processes that share it see it.',
  tags: TAGS,
  errors: TOOL_ERRORS,
  wire: ({ toolParams, circuit }) => ({
    params: toolParams,
    answers: { 200: answer('The circuit.', circuit) },
  }),
  run: async ({ toolAdmin }: ToolReading, { params }) =>
    encodeCircuit(await toolAdmin.get(params.tool)),
});

export const openCircuit = define({
  name: 'tools.open_circuit',
  method: 'POST',
  path: `${CIRCUIT}/open`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Cut a tool off',
  description: 'Its calls are refused at once, until somebody resets the circuit.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ toolParams, circuitBody, circuit }) => ({
    params: toolParams,
    body: circuitBody,
    answers: { 200: answer('The circuit, open.', circuit) },
  }),
  run: async ({ toolAdmin }: ToolWriting, { params }) =>
    encodeCircuit(await toolAdmin.openCircuit(params.tool)),
});

export const resetCircuit = define({
  name: 'tools.reset_circuit',
  method: 'POST',
  path: `${CIRCUIT}/reset`,
  effect: 'write',
  isRepeatable: true,
  summary: "Close a tool's circuit",
  description: 'Whatever it was; what was counted is forgotten.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ toolParams, circuitBody, circuit }) => ({
    params: toolParams,
    body: circuitBody,
    answers: { 200: answer('The circuit, closed.', circuit) },
  }),
  run: async ({ toolAdmin }: ToolWriting, { params }) =>
    encodeCircuit(await toolAdmin.resetCircuit(params.tool)),
});

export const listToolKeys = define({
  name: 'tools.list_keys',
  method: 'GET',
  path: KEYS,
  effect: 'read',
  summary: "List a tool's idempotency keys",
  description:
    'By key, without results. Only a `next_cursor` of null says that it is the last page.',
  tags: TAGS,
  errors: TOOL_ERRORS,
  wire: ({ toolParams, listKeysQuery, idempotencyKeyList }) => ({
    params: toolParams,
    query: listKeysQuery,
    answers: { 200: answer('One page of keys.', idempotencyKeyList) },
  }),
  run: async ({ toolAdmin }: ToolReading, { params, query }) =>
    encodeKeyPage(await toolAdmin.listKeys(params.tool, decodeKeyQuery(query))),
});

export const flushToolKeys = define({
  name: 'tools.flush_keys',
  method: 'POST',
  path: `${KEYS}/flush`,
  effect: 'write',
  summary: "Forget a tool's idempotency keys",
  description:
    'One, or all. A flushed call may run again; the effect ledger keeps what it did the first time.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ toolParams, flushBody, flushReceipt }) => ({
    params: toolParams,
    body: flushBody,
    answers: { 200: answer('How many there were.', flushReceipt) },
  }),
  async run({ toolAdmin }: ToolWriting, { params, body }) {
    const { tool, flushed } = await toolAdmin.flushKeys(params.tool, body?.key);
    return { tool: tool.name, flushed };
  },
});

/** In the order of the documentation. */
export const TOOL_OPERATIONS: readonly AnyOperation<ToolWriting>[] = [
  listTools,
  reportReliability,
  getTool,
  getCircuit,
  openCircuit,
  resetCircuit,
  listToolKeys,
  flushToolKeys,
];
