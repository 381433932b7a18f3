import * as z from 'zod';
import type { AgentStore } from '../../core/agents/agent.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

const MAX_AGENTS = 500;

interface AgentListing {
  /** By id. Instructions stay out: they are between the operator and each agent. */
  readonly agents: readonly {
    readonly agent_id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: string;
    readonly model: string | null;
  }[];
  readonly truncated: boolean;
}

export function createAgentList(agents: Pick<AgentStore, 'list'>): Tool {
  return defineTool<Record<string, never>, AgentListing>({
    name: 'agent.list',
    description:
      'List the agents of this runtime with their roles. model is null for those that use the default model.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/runs/agent-list.ts',
    input: z.strictObject({}),
    summarize: (_, output) => `listed ${output.agents.length} agent(s)`,

    async execute() {
      const all = [...(await agents.list())].sort((a, b) => (a.id < b.id ? -1 : 1));
      const listed = all.slice(0, MAX_AGENTS).map(({ id, slug, name, role, model }) => {
        return { agent_id: id, slug, name, role, model: model ?? null };
      });
      return { agents: listed, truncated: all.length > MAX_AGENTS };
    },
  });
}
