import type { AgentStatus } from '../../core/agents/agent.ts';
import { AGENTS_LOCK } from '../../core/agents/stored-agents.ts';
import type { AgentId } from '../../core/ids.ts';
import { holdLock } from './advisory-lock.ts';
import type { Database } from './database.ts';
import { readMark } from './mark.ts';
import { notifyStatements, QUEUE_CHANNEL } from './runs/save-batch.ts';
import { encodeText } from './text-codec.ts';

// Whoever makes a run of a sleeping agent holds its row: this waits for them, and its runs are all seen below.
const UPDATE_AGENT =
  'update agents set status = $2, updated_at_ms = $3::bigint where id = $1 returning id';

// In id order, as every transaction locks runs.
const LOCK_HELD = 'select id from runs where agent_id = $1 and is_held order by id for update';
const LOCK_QUEUED =
  "select id from runs where agent_id = $1 and status = 'queued' and not is_held order by id for update";
const MARK_RUNS = 'update runs set is_held = $2 where id = any($1::text[])';

interface StatusChange {
  readonly agentId: AgentId;
  readonly status: AgentStatus;
  /** The time, where a test overrides the database's. */
  readonly nowMs: number | undefined;
}

/** The agent and its queued runs in one transaction. */
export function setAgentStatus(database: Database, { agentId, status, nowMs }: StatusChange) {
  const isAsleep = status === 'sleeping';
  return database.transact(async (transaction) => {
    // As every write of agents does: one that has read the row before would put the old status back.
    await holdLock(transaction, 'tables', encodeText(AGENTS_LOCK));
    const mark = await readMark(transaction, nowMs);
    const values = [agentId, status, mark.nowMs];
    const known = await transaction.query({ name: 'set_agent_status', text: UPDATE_AGENT, values });
    const lock = isAsleep
      ? { name: 'lock_queued_of_agent', text: LOCK_QUEUED, values: [agentId] }
      : { name: 'lock_held', text: LOCK_HELD, values: [agentId] };
    const runs = known.length > 0 ? await transaction.query<{ id: string }>(lock) : [];
    const isFreed = !isAsleep && runs.length > 0;
    return {
      value: { isKnown: known.length > 0, isFreed },
      writes: [
        { name: 'hold_runs', text: MARK_RUNS, values: [runs.map(({ id }) => id), isAsleep] },
        ...(isFreed ? notifyStatements([{ channel: QUEUE_CHANNEL, payload: '' }]) : []),
      ],
      xid: mark.xid,
    };
  });
}
