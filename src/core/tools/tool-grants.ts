import { type AgentDirectory, resolveAgent } from '../agents/resolve-agent.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId } from '../ids.ts';
import type { Capabilities } from '../policy/capabilities.ts';
import type { CapabilityChange } from '../policy/capability-store.ts';
import type { ToolRegistry } from './registry.ts';

/** What an agent may use now, and what operators changed about it. */
export interface AgentCapabilities {
  readonly agentId: AgentId;
  /** Names of tools that exist, sorted. */
  readonly granted: readonly string[];
  readonly changes: readonly CapabilityChange[];
}

/** What every surface may do with capabilities. An unknown agent throws `not_found`. */
export interface ToolGrants {
  list(reference: string): Promise<AgentCapabilities>;
  /** A name that fits no tool throws `tool_not_found`: a slip would look like a revocation and be none. */
  change(change: GivenChange): Promise<AgentCapabilities>;
}

/** The agent is named by id, slug or name. */
type GivenChange = Omit<CapabilityChange, 'atMs' | 'agentId'> & { readonly agentId: string };

export interface ToolGrantsDeps {
  readonly capabilities: Capabilities;
  readonly registry: Pick<ToolRegistry, 'find' | 'list'>;
  readonly agents: AgentDirectory;
}

/** Tools of external servers come and go, and may be granted before they are there. */
const EXTERNAL_PREFIX = 'mcp__';

export function createToolGrants({ capabilities, registry, agents }: ToolGrantsDeps): ToolGrants {
  function toPattern(tool: string): string {
    if (tool.endsWith('*') || tool.startsWith(EXTERNAL_PREFIX)) return tool;
    const found = registry.find(tool);
    // Policy knows canonical names only: an alias would be stored and never match.
    if (found) return found.name;
    throw new RuntimeError('tool_not_found', `tool ${tool} does not exist`);
  }

  async function list(reference: string): Promise<AgentCapabilities> {
    const { id: agentId } = await resolveAgent(agents, reference);
    await capabilities.refresh();
    const granted = registry
      .list()
      .map(({ name }) => name)
      .filter((name) => capabilities.has(agentId, name));
    return { agentId, granted, changes: await capabilities.list(agentId) };
  }

  return {
    list,

    async change(change) {
      const { id: agentId } = await resolveAgent(agents, change.agentId);
      await capabilities.change({ ...change, agentId, tool: toPattern(change.tool) });
      return list(agentId);
    },
  };
}
