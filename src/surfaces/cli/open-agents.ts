import type { Agents } from '../../core/agents/agents.ts';
import { DEFAULT_AGENT_ID } from '../../core/ids.ts';
import { decodeAgentCursor, encodeAgent, encodeAgentPage } from '../http/runtime-codec.ts';
import { namingAgent } from './admin-arguments.ts';
import type { AgentsAccess, AgentsReader } from './agents-access.ts';
import type { CliContext } from './context.ts';
import { readStore, useRuntime, type Ways, withAccess } from './open-access.ts';
import { type AgentReader, createAgentReader } from './store-readers.ts';

const remote: Ways<AgentsAccess>['remote'] = async (options) =>
  (await import('./remote/remote-agents.ts')).createRemoteAgents(options);

/** Through the running server, else from the database. */
export const AGENTS_READING: Ways<AgentsReader> = {
  remote,
  local: (context) => readStore(context, (store) => createReader(createAgentReader(store))),
};

/** Through the running server, else in this process. */
export const AGENTS_WRITING: Ways<AgentsAccess> = {
  remote,
  local: (context) => useRuntime(context, ({ agents }) => createLocalAgents(agents)),
};

/** Without a writer: the first agent comes with the state root, and one that is not there must not create it. */
export async function assertAgent(context: CliContext, id: string): Promise<void> {
  if (id === DEFAULT_AGENT_ID) return;
  await withAccess(context, AGENTS_READING, (agents) => namingAgent(id, agents.get(id)));
}

function createReader(agents: AgentReader): AgentsReader {
  return {
    async list({ limit, cursor }) {
      const after = cursor === undefined ? {} : { after: decodeAgentCursor(cursor) };
      return encodeAgentPage(await agents.list({ limit, ...after }));
    },
    get: async (id) => encodeAgent(await agents.get(id)),
  };
}

export function createLocalAgents(agents: Agents): AgentsAccess {
  return {
    ...createReader(agents),
    create: async (agent) => encodeAgent(await agents.create(agent)),
    update: async (id, change) => encodeAgent(await agents.update(id, change)),
  };
}
