import type { AgentId } from '../ids.ts';

/** `busy` is a mark that somebody set; an agent with a run under way is busy without it. */
export const AGENT_STATUSES = ['idle', 'busy', 'sleeping'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** `private`: it writes for itself and reads nothing but its own. `global`: it shares, and reads what is shared. */
export const MEMORY_ACCESSES = ['global', 'private'] as const;
export type MemoryAccess = (typeof MEMORY_ACCESSES)[number];

/** A named definition: who it is, which model it speaks with. Not a process. */
export interface Agent {
  readonly id: AgentId;
  /** Names its files, and names it wherever its id would: lower case, and no two agents have the same. */
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  /** `provider/name`, when this agent does not use the runtime's default model. */
  readonly model: string | undefined;
  /** Its soul: what the model is told about itself, before anything else. Its file is read before each run. */
  readonly instructions: string;
  /** What its soul was made from. */
  readonly personalityTemplate: string | undefined;
  readonly voiceId: string | undefined;
  /** What it may use of what it is granted; none named: all of that. */
  readonly skills: readonly string[];
  readonly memoryAccess: MemoryAccess;
  /** As it was set. Whether it has work now is for its runs to say. */
  readonly status: AgentStatus;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface AgentStore {
  find(id: AgentId): Promise<Agent | undefined>;
  findBySlug(slug: string): Promise<Agent | undefined>;
  /** By id. */
  list(): Promise<Agent[]>;
  /** Creates the agent unless one with its id exists; an existing one is left as it is. */
  ensure(agent: NewAgent): Promise<void>;
  create(agent: NewAgent, maxAgents: number): Promise<CreateAgentResult>;
  /**
   * Replaces the fields that are given. Undefined when the agent does not exist. Throws `conflict` when it was last changed
   * at another time than the one given.
   */
  update(id: AgentId, change: AgentChange, ifUpdatedAtMs?: number): Promise<Agent | undefined>;
  /** False when there is none. */
  remove(id: AgentId): Promise<boolean>;
  /** Those that keep what they remember to themselves, without all that makes them long. */
  listPrivate(): Promise<readonly AgentId[]>;
  /** Of those that have any. */
  listSkills(): Promise<readonly Pick<Agent, 'id' | 'skills'>[]>;
}

/** Its slug is made of the wish when that is free, and else of that and a number. */
export interface NewAgent
  extends Pick<Agent, 'id' | 'name' | 'role' | 'model' | 'instructions'>,
    Partial<Pick<Agent, 'slug' | ProfileField>> {}

type ProfileField = 'personalityTemplate' | 'voiceId' | 'skills' | 'memoryAccess' | 'status';

export type AgentChange = Partial<
  Pick<Agent, 'name' | 'role' | 'model' | 'instructions' | ProfileField>
>;

export type CreateAgentResult =
  | { readonly outcome: 'created'; readonly agent: Agent }
  /** Its id is the id or the slug of another. */
  | { readonly outcome: 'exists' }
  | { readonly outcome: 'full' };
