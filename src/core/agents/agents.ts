import type { Agent, AgentStatus, MemoryAccess } from './agent.ts';
import type { AgentRuntime } from './agent-runtime.ts';

/** For those who only look. */
export interface AgentReader {
  /** By id. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<AgentPage>;
  /** By id, slug, or name whatever its case; `busy` while it has a run under way. Throws `not_found`. */
  get(reference: string): Promise<Agent>;
  /** The same, as it is stored. */
  resolve(reference: string): Promise<Agent>;
}

/** What souls are made from. */
export interface PersonalityTemplate {
  readonly name: string;
  /** With its places for words in double braces. */
  readonly text: string;
  /** Nobody has written one of this name. */
  readonly isBuiltIn: boolean;
}

/** What every surface may do with agents, which it names by id, slug or name. */
export interface Agents extends AgentReader {
  /**
   * Throws `conflict` when the id is taken, `limit_reached` when there are too many, `policy_denied` when its memory
   * would need an approval that is not there.
   */
  create(agent: CreateAgent): Promise<Agent>;
  /** Changes the fields that are given. Throws `not_found`, `conflict` as asked for, and `policy_denied` as above. */
  update(reference: string, change: ChangeAgent): Promise<Agent>;
  /** A sleeping agent takes no runs; those it gets wait until it is awake. Throws `not_found`. */
  setStatus(reference: string, status: AgentStatus): Promise<Agent>;
  /** By name. */
  listTemplates(): Promise<readonly PersonalityTemplate[]>;
  /** Throws `not_found`, and `conflict` for the agent that is always there and for one that has open runs. */
  remove(reference: string): Promise<Agent>;
}

export interface GivenAgent {
  readonly name?: string;
  readonly role?: string;
  /** Null: the model of the runtime. */
  readonly model?: string | null;
  /** Where it lives; its model goes with it. */
  readonly runtime?: AgentRuntime;
  /** Its soul, in its own words. */
  readonly instructions?: string;
  /** What its soul is made from, where it is not given. */
  readonly personalityTemplate?: string;
  /** Null: none. */
  readonly voiceId?: string | null;
  readonly skills?: readonly string[];
  readonly memoryAccess?: MemoryAccess;
}

export interface CreateAgent extends GivenAgent {
  /** Made when absent; its slug is then made of its name. */
  readonly id?: string;
  readonly isMemoryApproved?: boolean;
}

export interface ChangeAgent extends GivenAgent {
  readonly isMemoryApproved?: boolean;
  /** Of the agent as whoever changes it has read it: what somebody else wrote since is not written over. */
  readonly ifUpdatedAtMs?: number | undefined;
}

export interface AgentPage {
  readonly agents: readonly Agent[];
  readonly next: string | undefined;
}
