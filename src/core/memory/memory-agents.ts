import type { AgentId } from '../ids.ts';

/** `private`: it writes for itself and reads nothing but its own. `global`: it shares, and reads what is shared. */
export interface MemoryAgent {
  readonly id: AgentId;
  readonly memoryAccess: 'global' | 'private';
}

export interface MemoryAgents {
  /** By id, slug or name. Throws `not_found`. */
  resolve(reference: string): Promise<MemoryAgent>;
  /** Asked with every search. */
  listPrivate(): Promise<readonly AgentId[]>;
}
