import type { Agent } from '../../core/agents/agent.ts';
import type { WriteContext } from './write-context.ts';

export function createEnsureAgent(context: WriteContext) {
  const insert = context.db.prepare(
    'INSERT INTO agents (id, definition, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );

  return ({ id, name, role, model, instructions }: Omit<Agent, 'createdAtMs'>): void => {
    insert.run(id, JSON.stringify({ name, role, model, instructions }), context.nowMs());
  };
}
