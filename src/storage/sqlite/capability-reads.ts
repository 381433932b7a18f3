import type { AgentId } from '../../core/ids.ts';
import type { CapabilityChange } from '../../core/policy/capability-store.ts';
import { sortCapabilities } from '../capability-changes.ts';
import type { Database } from './driver.ts';
import { allRows } from './rows.ts';

interface CapabilityRow {
  readonly agent_id: AgentId;
  readonly tool: string;
  readonly effect: 'grant' | 'revoke';
  readonly changed_by: string;
  readonly at_ms: number;
}

export function createCapabilityReads(db: Database) {
  const COLUMNS = 'agent_id, tool, effect, changed_by, at_ms';
  const selectAll = db.prepare(`SELECT ${COLUMNS} FROM capabilities`);
  const selectOf = db.prepare(`SELECT ${COLUMNS} FROM capabilities WHERE agent_id = ?`);

  return (agentId?: AgentId): CapabilityChange[] => {
    const rows =
      agentId === undefined
        ? allRows<CapabilityRow>(selectAll)
        : allRows<CapabilityRow>(selectOf, agentId);
    return sortCapabilities(
      rows.map((row) => ({
        agentId: row.agent_id,
        tool: JSON.parse(row.tool) as string,
        effect: row.effect,
        by: JSON.parse(row.changed_by) as string,
        atMs: row.at_ms,
      })),
    );
  };
}
