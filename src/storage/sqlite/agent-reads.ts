import type { Agent } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';
import type { Database } from './driver.ts';
import { allRows, getRow } from './rows.ts';

const MAX_AGENTS = 1_000;

interface AgentRow {
  readonly id: AgentId;
  readonly definition: string;
  readonly created_at_ms: number;
}

export function createAgentReads(db: Database) {
  const select = db.prepare('SELECT id, definition, created_at_ms FROM agents WHERE id = ?');
  const selectAll = db.prepare(
    `SELECT id, definition, created_at_ms FROM agents ORDER BY id LIMIT ${MAX_AGENTS}`,
  );

  return {
    find(id: AgentId): Agent | undefined {
      const row = getRow<AgentRow>(select, id);
      return row && toAgent(row);
    },

    list: (): Agent[] => allRows<AgentRow>(selectAll).map(toAgent),
  };
}

function toAgent({ id, definition, created_at_ms }: AgentRow): Agent {
  const { name, role, model, instructions } = JSON.parse(definition) as Omit<Agent, 'id'>;
  return { id, name, role, model, instructions, createdAtMs: created_at_ms };
}
