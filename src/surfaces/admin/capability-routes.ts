import type { AgentId } from '../../core/ids.ts';
import type { ToolGrants } from '../../core/tools/tool-grants.ts';
import { encodeCapabilities } from '../http/admin-codec.ts';
import { capabilityList } from '../http/admin-shapes.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { OPERATOR } from './operator.ts';
import { agentParams, changeCapabilityBody } from './schema.ts';

const TAGS = ['capabilities'];

const listCapabilities = {
  summary: 'List what an agent may use',
  description: 'The tools that exist now, and what operators changed beside the configuration.',
  tags: TAGS,
  security: BEARER,
  params: agentParams,
  querystring: noQuery,
  response: {
    200: answer('Its capabilities.', capabilityList),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

const changeCapability = {
  summary: 'Grant or revoke a tool',
  description:
    'Kept over restarts, and in force at the next call. The last word about a tool counts; a whole name beats a prefix.',
  tags: TAGS,
  security: BEARER,
  params: agentParams,
  querystring: noQuery,
  body: changeCapabilityBody,
  response: {
    200: answer('Its capabilities after the change.', capabilityList),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503),
  },
};

export function addCapabilityRoutes(app: SurfaceApp, grants: ToolGrants): void {
  const path = '/agents/:agent_id/capabilities';
  app.get(path, { schema: listCapabilities }, async (request, reply) =>
    reply.send(encodeCapabilities(await grants.list(request.params.agent_id as AgentId))),
  );

  app.post(path, { schema: changeCapability }, async (request, reply) => {
    const { tool, effect } = request.body;
    const agentId = request.params.agent_id as AgentId;
    const changed = await grants.change({ agentId, tool, effect, by: OPERATOR });
    return reply.send(encodeCapabilities(changed));
  });
}
