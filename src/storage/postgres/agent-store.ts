import type { Agent, AgentStore } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';
import type { Database } from './database.ts';
import { clockSql } from './statement.ts';
import { decodeText, encodeText, isStorableId } from './text-codec.ts';

interface StoredAgent {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly model: string | null;
  readonly instructions: string;
  readonly created_at_ms: number;
}

const COLUMNS = 'id, name, role, model, instructions, created_at_ms';
const FIND = `select ${COLUMNS} from agents where id = $1`;
const LIST = `select ${COLUMNS} from agents order by id`;
const ENSURE =
  `insert into agents (${COLUMNS}) values ($1, $2, $3, $4, $5, ${clockSql('$6')}) ` +
  'on conflict (id) do nothing';

export function createAgentStore(
  database: Database,
  nowMs: (() => number) | undefined,
): AgentStore {
  return {
    find: async (id) => {
      if (!isStorableId(id)) return undefined;
      const statement = { name: 'find_agent', text: FIND, values: [id] };
      const [stored] = await database.read<StoredAgent>(statement);
      return stored && decodeAgent(stored);
    },
    list: async () => {
      const statement = { name: 'list_agents', text: LIST, values: [] };
      return (await database.read<StoredAgent>(statement)).map(decodeAgent);
    },
    ensure: async ({ id, name, role, model, instructions }) => {
      const texts = [
        encodeText(name),
        encodeText(role),
        model === undefined ? null : encodeText(model),
      ];
      const values = [id, ...texts, encodeText(instructions), nowMs?.() ?? null];
      await database.write({ name: 'ensure_agent', text: ENSURE, values });
    },
  };
}

function decodeAgent(stored: StoredAgent): Agent {
  return {
    id: stored.id as AgentId,
    name: decodeText(stored.name),
    role: decodeText(stored.role),
    model: stored.model === null ? undefined : decodeText(stored.model),
    instructions: decodeText(stored.instructions),
    createdAtMs: stored.created_at_ms,
  };
}
