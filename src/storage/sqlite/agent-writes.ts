import type { Agent, CreateAgentResult, NewAgent } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';
import { type AgentRow, SELECT_AGENT, toAgent, toDefinition } from './agent-row.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export function createAgentWrites(context: WriteContext) {
  const { db } = context;
  const select = db.prepare(`${SELECT_AGENT} WHERE id = ?`);
  const count = db.prepare('SELECT count(*) AS agents FROM agents');
  const insert = db.prepare(
    'INSERT INTO agents (id, definition, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const replace = db.prepare('UPDATE agents SET definition = ? WHERE id = ?');

  return {
    ensureAgent(agent: NewAgent): void {
      insert.run(agent.id, toDefinition(agent), context.nowMs());
    },

    createAgent(agent: NewAgent, maxAgents: number): CreateAgentResult {
      if (getRow(select, agent.id)) return { outcome: 'exists' };
      const agents = getRow<{ agents: number }>(count)?.agents ?? 0;
      if (agents >= maxAgents) return { outcome: 'full' };
      const { id, name, role, model, instructions } = agent;
      const createdAtMs = context.nowMs();
      insert.run(id, toDefinition(agent), createdAtMs);
      return {
        outcome: 'created',
        agent: { id, name, role, model, instructions, createdAtMs },
      };
    },

    updateAgent(id: AgentId, change: Partial<Omit<NewAgent, 'id'>>): Agent | undefined {
      const row = getRow<AgentRow>(select, id);
      if (!row) return undefined;
      const agent = { ...toAgent(row), ...change };
      replace.run(toDefinition(agent), id);
      return agent;
    },
  };
}
