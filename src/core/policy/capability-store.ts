import type { AgentId } from '../ids.ts';

/** What operators changed about an agent's capabilities, on top of what the configuration grants to everybody. */
export interface CapabilityStore {
  list(agentId?: AgentId): Promise<CapabilityChange[]>;
  /** The last word counts: granting what was revoked takes the revocation back. */
  set(change: Omit<CapabilityChange, 'atMs'>): Promise<void>;
}

export interface CapabilityChange {
  readonly agentId: AgentId;
  /** A tool's name, or a prefix ending in `*`. */
  readonly tool: string;
  readonly effect: 'grant' | 'revoke';
  readonly by: string;
  readonly atMs: number;
}
