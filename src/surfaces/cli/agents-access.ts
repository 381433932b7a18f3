import type { GivenAgent } from '../../core/agents/agents.ts';
import type { AgentListShape, AgentShape } from '../http/runtime-shapes.ts';
import type { PageQuery } from './page-options.ts';

/** Definitions of agents, in the shapes of `/api/admin`, with a server and without one. */
export interface AgentsReader {
  list(query: PageQuery): Promise<AgentListShape>;
  /** Throws `not_found`. */
  get(id: string): Promise<AgentShape>;
}

export interface AgentsAccess extends AgentsReader {
  /** Throws `conflict` when the id is taken. */
  create(agent: GivenAgent & { readonly id: string }): Promise<AgentShape>;
  update(id: string, change: GivenAgent): Promise<AgentShape>;
}
