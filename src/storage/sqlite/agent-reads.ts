import type { Agent } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';
import { type AgentRow, SELECT_AGENT, toAgent } from './agent-row.ts';
import type { Database } from './driver.ts';
import { allRows, getRow } from './rows.ts';

const MAX_AGENTS = 1_000;

export function createAgentReads(db: Database) {
  const select = db.prepare(`${SELECT_AGENT} WHERE id = ?`);
  const selectAll = db.prepare(`${SELECT_AGENT} ORDER BY id LIMIT ${MAX_AGENTS}`);

  return {
    find(id: AgentId): Agent | undefined {
      const row = getRow<AgentRow>(select, id);
      return row && toAgent(row);
    },

    list: (): Agent[] => allRows<AgentRow>(selectAll).map(toAgent),
  };
}
