import type { Agent } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';

export const SELECT_AGENT = 'SELECT id, definition, created_at_ms FROM agents';

export interface AgentRow {
  readonly id: AgentId;
  readonly definition: string;
  readonly created_at_ms: number;
}

export function toAgent({ id, definition, created_at_ms }: AgentRow): Agent {
  const { name, role, model, instructions } = JSON.parse(definition) as Omit<Agent, 'id'>;
  return { id, name, role, model, instructions, createdAtMs: created_at_ms };
}

export function toDefinition({ name, role, model, instructions }: Omit<Agent, 'createdAtMs'>) {
  return JSON.stringify({ name, role, model, instructions });
}
