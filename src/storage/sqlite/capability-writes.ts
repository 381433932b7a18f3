import type { CapabilityChange } from '../../core/policy/capability-store.ts';
import { MAX_CAPABILITIES, tooManyCapabilities } from '../capability-changes.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export function createSetCapability(context: WriteContext) {
  const count = context.db.prepare('SELECT count(*) AS changes FROM capabilities');
  const upsert = context.db.prepare(`
    INSERT INTO capabilities (agent_id, tool, effect, changed_by, at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (agent_id, tool) DO UPDATE SET
      effect = excluded.effect, changed_by = excluded.changed_by, at_ms = excluded.at_ms`);
  const select = context.db.prepare('SELECT 1 FROM capabilities WHERE agent_id = ? AND tool = ?');

  return ({ agentId, tool, effect, by }: Omit<CapabilityChange, 'atMs'>): void => {
    const name = JSON.stringify(tool);
    const isKnown = getRow(select, agentId, name) !== undefined;
    if (!isKnown && (getRow<{ changes: number }>(count)?.changes ?? 0) >= MAX_CAPABILITIES) {
      throw tooManyCapabilities();
    }
    upsert.run(agentId, name, effect, JSON.stringify(by), context.nowMs());
  };
}
