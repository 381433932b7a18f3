import type { AgentReader, Agents } from '../../core/agents/agents.ts';
import { decodeMoment } from '../moment.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import {
  decodeAgentCursor,
  decodeAgentFields,
  decodeApproval,
  encodeAgent,
  encodeAgentPage,
} from './agent-codec.ts';

/** For those who only look. */
export interface AgentReading {
  readonly agents: AgentReader;
}

export interface AgentWriting extends AgentReading {
  readonly agents: Agents;
}

const define = operationsWith(() => import('./agent-shapes.ts'));

const TAGS = ['agents'];
const AGENTS = '/api/admin/agents';
const ONE_AGENT = `${AGENTS}/:agent_id` as const;

export const listAgents = define({
  name: 'agents.list',
  method: 'GET',
  path: AGENTS,
  effect: 'read',
  summary: 'List agents',
  description: 'By id. Pages by cursor.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ listAgentsQuery, agentList }) => ({
    query: listAgentsQuery,
    answers: { 200: answer('One page of agents.', agentList) },
  }),
  async run({ agents }: AgentReading, { query: { limit, cursor } }) {
    const after = cursor === undefined ? {} : { after: decodeAgentCursor(cursor) };
    return encodeAgentPage(await agents.list({ limit, ...after }));
  },
});

export const createAgent = define({
  name: 'agents.create',
  method: 'POST',
  path: AGENTS,
  effect: 'write',
  summary: 'Create an agent',
  description:
    'Its id is its name in runs and records, and stays. Without one it gets a UUID, a slug made of its name, and a soul.',
  tags: TAGS,
  errors: [400, 401, 403, 409, 413, 415, 429, 500, 503],
  wire: ({ createAgentBody, approvalHeaders, agent }) => ({
    headers: approvalHeaders,
    body: createAgentBody,
    answers: { 201: answer('The agent.', agent) },
  }),
  async run({ agents }: AgentWriting, { body, headers }) {
    const id = body.agent_id === undefined ? {} : { id: body.agent_id };
    const given = { ...id, ...decodeAgentFields(body), ...decodeApproval(headers) };
    const created = await agents.create(given);
    return new Reply(201, encodeAgent(created), { location: `${AGENTS}/${created.id}` });
  },
});

export const getAgent = define({
  name: 'agents.get',
  method: 'GET',
  path: ONE_AGENT,
  effect: 'read',
  summary: 'Read an agent',
  description: 'Its definition.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ agentParams, agent }) => ({
    params: agentParams,
    answers: { 200: answer('The agent.', agent) },
  }),
  run: async ({ agents }: AgentReading, { params }) =>
    encodeAgent(await agents.get(params.agent_id)),
});

export const changeAgent = define({
  name: 'agents.change',
  method: 'PATCH',
  path: ONE_AGENT,
  effect: 'write',
  summary: 'Change an agent',
  description:
    'Fields that are given. Runs that start from now on see it. With `if_updated_at` it is 409 when somebody was faster.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ agentParams, changeAgentBody, approvalHeaders, agent }) => ({
    headers: approvalHeaders,
    params: agentParams,
    body: changeAgentBody,
    answers: { 200: answer('The agent after the change.', agent) },
  }),
  async run({ agents }: AgentWriting, { params, body, headers }) {
    const ifUpdatedAtMs = decodeMoment(body.if_updated_at);
    const change = { ...decodeAgentFields(body), ...decodeApproval(headers), ifUpdatedAtMs };
    return encodeAgent(await agents.update(params.agent_id, change));
  },
});

export const setAgentStatus = define({
  name: 'agents.status',
  method: 'PATCH',
  path: `${ONE_AGENT}/status`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Put an agent to sleep, wake it, or mark it busy',
  description: 'A sleeping agent takes no runs: they wait until it is awake.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 503],
  wire: ({ agentParams, statusBody, agent }) => ({
    params: agentParams,
    body: statusBody,
    answers: { 200: answer('The agent after the change.', agent) },
  }),
  run: async ({ agents }: AgentWriting, { params, body }) =>
    encodeAgent(await agents.setStatus(params.agent_id, body.status)),
});

export const removeAgent = define({
  name: 'agents.remove',
  method: 'DELETE',
  path: ONE_AGENT,
  effect: 'write',
  summary: 'Remove an agent',
  description: 'With its jobs and its files. Its records stay.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 429, 500, 503],
  wire: ({ agentParams, removedAgent }) => ({
    params: agentParams,
    answers: { 200: answer('The agent that is gone.', removedAgent) },
  }),
  run: async ({ agents }: AgentWriting, { params }) => ({
    agent: encodeAgent(await agents.remove(params.agent_id)),
    deleted: true as const,
  }),
});

export const listTemplates = define({
  name: 'agents.templates',
  method: 'GET',
  path: '/api/admin/agent-templates',
  effect: 'read',
  summary: 'List personality templates',
  description:
    'What souls are made from: those that are built in, and those that lie in the state root.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ templateList }) => ({ answers: { 200: answer('By name.', templateList) } }),
  run: async ({ agents }: AgentWriting) => ({
    templates: (await agents.listTemplates()).map(({ name, text, isBuiltIn }) => ({
      name,
      text,
      built_in: isBuiltIn,
    })),
  }),
});

/** In the order of the documentation. */
export const AGENT_OPERATIONS: readonly AnyOperation<AgentWriting>[] = [
  listAgents,
  createAgent,
  getAgent,
  changeAgent,
  setAgentStatus,
  removeAgent,
  listTemplates,
];
