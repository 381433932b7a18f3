import type { GivenAgent } from '../../../core/agents/agents.ts';
import { agent, agentList } from '../../http/runtime-shapes.ts';
import type { AgentsAccess } from '../agents-access.ts';
import { at, createAdminClient, toQuery } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** The agents of a running server. */
export function createRemoteAgents(options: ServerLinkOptions): AgentsAccess {
  const { get, patch, once } = createAdminClient(options);
  return {
    list: (query) => get(`/agents${toQuery(query)}`, agentList),
    get: (id) => get(at`/agents/${id}`, agent),
    create: ({ id, ...given }) => once('/agents', agent, { agent_id: id, ...encodeFields(given) }),
    update: (id, change) => patch(at`/agents/${id}`, agent, encodeFields(change)),
  };
}

function encodeFields({ name, role, model, instructions }: GivenAgent): object {
  return {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
