import type { AgentId } from '../ids.ts';

/** A named definition: who it is, which model it speaks with. Not a process. */
export interface Agent {
  readonly id: AgentId;
  readonly name: string;
  readonly role: string;
  /** `provider/name`, when this agent does not use the runtime's default model. */
  readonly model: string | undefined;
  /** What the model is told about itself, before anything else. */
  readonly instructions: string;
  readonly createdAtMs: number;
}

export interface AgentStore {
  find(id: AgentId): Promise<Agent | undefined>;
  list(): Promise<Agent[]>;
  /** Creates the agent unless one with its id exists; an existing one is left as it is. */
  ensure(agent: NewAgent): Promise<void>;
  create(agent: NewAgent, maxAgents: number): Promise<CreateAgentResult>;
  /** Replaces the fields that are given. Undefined when the agent does not exist. */
  update(id: AgentId, change: Partial<Omit<NewAgent, 'id'>>): Promise<Agent | undefined>;
}

export type NewAgent = Omit<Agent, 'createdAtMs'>;

export type CreateAgentResult =
  | { readonly outcome: 'created'; readonly agent: Agent }
  | { readonly outcome: 'exists' }
  | { readonly outcome: 'full' };
