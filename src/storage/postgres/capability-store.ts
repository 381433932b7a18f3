import type { AgentId } from '../../core/ids.ts';
import type { CapabilityStore } from '../../core/policy/capability-store.ts';
import { MAX_CAPABILITIES, sortCapabilities, tooManyCapabilities } from '../capability-changes.ts';
import type { Database } from './database.ts';
import { clockSql } from './statement.ts';
import { decodeText, encodeText, isStorableId } from './text-codec.ts';

interface StoredCapability {
  readonly agent_id: string;
  readonly tool: string;
  readonly effect: 'grant' | 'revoke';
  readonly changed_by: string;
  readonly at_ms: number;
}

const COLUMNS = 'agent_id, tool, effect, changed_by, at_ms';
const LIST = `select ${COLUMNS} from capabilities`;
const LIST_OF = `${LIST} where agent_id = $1`;

const SET = `
  insert into capabilities (${COLUMNS})
  select $1, $2, $3, $4, ${clockSql('$5')}
  where exists (select from capabilities where agent_id = $1 and tool = $2)
    or (select count(*) from capabilities) < ${MAX_CAPABILITIES}
  on conflict (agent_id, tool) do update set
    effect = excluded.effect, changed_by = excluded.changed_by, at_ms = excluded.at_ms
  returning 1 as written`;

export function createCapabilityStore(
  database: Database,
  nowMs: (() => number) | undefined,
): CapabilityStore {
  return {
    list: async (agentId) => {
      if (agentId !== undefined && !isStorableId(agentId)) return [];
      const stored = await database.read<StoredCapability>(
        agentId === undefined
          ? { name: 'list_capabilities', text: LIST, values: [] }
          : { name: 'list_capabilities_of', text: LIST_OF, values: [agentId] },
      );
      return sortCapabilities(
        stored.map((row) => ({
          agentId: row.agent_id as AgentId,
          tool: decodeText(row.tool),
          effect: row.effect,
          by: decodeText(row.changed_by),
          atMs: row.at_ms,
        })),
      );
    },

    set: async ({ agentId, tool, effect, by }) => {
      const values = [agentId, encodeText(tool), effect, encodeText(by), nowMs?.() ?? null];
      const written = await database.write({ name: 'set_capability', text: SET, values });
      if (written.length === 0) throw tooManyCapabilities();
    },
  };
}
