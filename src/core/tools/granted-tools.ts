import type { AgentId } from '../ids.ts';
import type { ToolDescription } from '../loop/model.ts';
import type { ToolRegistry } from './registry.ts';
import type { Tool } from './tool.ts';

/** What an agent is told of in runs of a principal. The same list until something changes what stands in it. */
export type DescribeGranted = (agentId: AgentId, principal: string) => readonly ToolDescription[];

export interface GrantedToolsDeps {
  readonly registry: Pick<ToolRegistry, 'describe' | 'list'>;
  readonly isGranted: (agentId: AgentId, tool: Tool, principal: string) => boolean;
  /** Whatever else decides about grants; when one of them is another than before, all lists are made again. */
  readonly grounds: () => readonly unknown[];
}

/** Agents and principals whose lists are kept. */
const MAX_LISTS = 256;

/** Every turn of every run asks, and dozens of tools have to be judged for each answer. */
export function createGrantedTools(deps: GrantedToolsDeps): DescribeGranted {
  const { registry, isGranted } = deps;
  const lists = new Map<string, readonly ToolDescription[]>();
  let known: readonly unknown[] = [];

  function forgetOutdated(): void {
    const grounds = [registry.list(), ...deps.grounds()];
    if (lists.size < MAX_LISTS && grounds.every((one, index) => one === known[index])) return;
    known = grounds;
    lists.clear();
  }

  return (agentId, principal) => {
    forgetOutdated();
    const key = JSON.stringify([agentId, principal]);
    const kept = lists.get(key);
    if (kept) return kept;
    const list = registry.describe((tool) => isGranted(agentId, tool, principal));
    lists.set(key, list);
    return list;
  };
}
