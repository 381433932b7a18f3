import type { AgentStatus } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

/** A run goes to the queue, where it is held while its agent sleeps. */
export const QUEUED = `status = 'queued', is_held = EXISTS (
  SELECT 1 FROM agents WHERE agents.id = runs.agent_id AND agents.status = 'sleeping'
)`;

export function createIsAsleep({ db }: Pick<WriteContext, 'db'>): (agentId: AgentId) => boolean {
  const select = db.prepare(`SELECT 1 FROM agents WHERE id = ? AND status = 'sleeping'`);
  return (agentId) => getRow(select, agentId) !== undefined;
}

export function createSetAgentStatus(context: WriteContext) {
  const { db } = context;
  const update = db.prepare('UPDATE agents SET status = ?, updated_at_ms = ? WHERE id = ?');
  // The queue is bounded; all that the agent ever ran is not.
  const hold = db.prepare(`
    UPDATE runs SET is_held = 1 WHERE +agent_id = ? AND status = 'queued' AND is_held = 0`);
  const free = db.prepare('UPDATE runs SET is_held = 0 WHERE agent_id = ? AND is_held = 1');

  return (agentId: AgentId, status: AgentStatus): boolean => {
    if (Number(update.run(status, context.nowMs(), agentId).changes) === 0) return false;
    if (status === 'sleeping') hold.run(agentId);
    else if (Number(free.run(agentId).changes) > 0) context.touchQueue();
    return true;
  };
}
