import type { Agents, GivenAgent } from '../../core/agents/agents.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { decodeAgentCursor, encodeAgent, encodeAgentPage } from '../http/runtime-codec.ts';
import { agent, agentList } from '../http/runtime-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { agentsQuery, createAgentBody, updateAgentBody } from './runtime-schema.ts';
import { agentParams } from './schema.ts';

const COMMON = { tags: ['agents'], security: BEARER };

const listAgents = {
  ...COMMON,
  summary: 'List agents',
  description: 'By id. Pages by cursor.',
  querystring: agentsQuery,
  response: {
    200: answer('One page of agents.', agentList),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const createAgent = {
  ...COMMON,
  summary: 'Create an agent',
  description: 'Its id is its name in runs, files and records, and stays.',
  querystring: noQuery,
  body: createAgentBody,
  response: {
    201: answer('The agent.', agent),
    ...errorAnswers(400, 401, 403, 409, 413, 415, 429, 500, 503),
  },
};

const getAgent = {
  ...COMMON,
  summary: 'Read an agent',
  description: 'Its definition.',
  params: agentParams,
  querystring: noQuery,
  response: {
    200: answer('The agent.', agent),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

const updateAgent = {
  ...COMMON,
  summary: 'Change an agent',
  description: 'Fields that are given. Runs that start from now on see it.',
  params: agentParams,
  querystring: noQuery,
  body: updateAgentBody,
  response: {
    200: answer('The agent after the change.', agent),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503),
  },
};

export function addAgentRoutes(app: SurfaceApp, agents: Agents): void {
  app.get('/agents', { schema: listAgents }, async (request, reply) => {
    const { limit, cursor } = request.query;
    const after = cursor === undefined ? {} : { after: decodeAgentCursor(cursor) };
    return reply.send(encodeAgentPage(await agents.list({ limit, ...after })));
  });

  app.post('/agents', { schema: createAgent }, async (request, reply) => {
    const { agent_id: id, ...fields } = request.body;
    const created = await agents.create({ id, ...toGiven(fields) });
    reply.header('location', `/api/admin/agents/${created.id}`);
    return reply.code(201).send(encodeAgent(created));
  });

  app.get('/agents/:agent_id', { schema: getAgent }, async (request, reply) =>
    reply.send(encodeAgent(await agents.get(request.params.agent_id))),
  );

  app.patch('/agents/:agent_id', { schema: updateAgent }, async (request, reply) =>
    reply.send(encodeAgent(await agents.update(request.params.agent_id, toGiven(request.body)))),
  );
}

interface AgentFields {
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly model?: string | null | undefined;
  readonly instructions?: string | undefined;
}

function toGiven({ name, role, model, instructions }: AgentFields): GivenAgent {
  return {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
