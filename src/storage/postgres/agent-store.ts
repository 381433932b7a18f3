import type { Agent, AgentStore, CreateAgentResult } from '../../core/agents/agent.ts';
import type { AgentId } from '../../core/ids.ts';
import { holdLock } from './advisory-lock.ts';
import { bulkInsert, bulkUpdate, type Column, names, toStatements } from './bulk.ts';
import type { Database } from './database.ts';
import { readMark } from './mark.ts';
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

const FIELDS: readonly Column<Agent>[] = [
  ['id', 'text', (agent) => agent.id],
  ['name', 'text', (agent) => encodeText(agent.name)],
  ['role', 'text', (agent) => encodeText(agent.role)],
  ['model', 'text', (agent) => (agent.model === undefined ? null : encodeText(agent.model))],
  ['instructions', 'text', (agent) => encodeText(agent.instructions)],
  ['created_at_ms', 'bigint', (agent) => agent.createdAtMs],
];

const COLUMNS = names(FIELDS);
const INSERT_AGENTS = bulkInsert('agents', FIELDS);
const UPDATE_AGENTS = bulkUpdate('agents', FIELDS);
const FIND = `select ${COLUMNS} from agents where id = $1`;
const LOCK = `${FIND} for update`;
const LIST = `select ${COLUMNS} from agents order by id`;
const COUNT = 'select count(*) as agents from agents';
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
    create: (agent, maxAgents) =>
      database.transact<CreateAgentResult>(async (transaction) => {
        const [, [existing], [count], mark] = await Promise.all([
          // One at a time: two that count together would both find room for one more.
          holdLock(transaction, 'agents', ''),
          transaction.query({ name: 'find_agent', text: FIND, values: [agent.id] }),
          transaction.query<{ agents: number }>({ name: 'count_agents', text: COUNT, values: [] }),
          readMark(transaction, nowMs?.()),
        ]);
        const { xid } = mark;
        if (existing) return { value: { outcome: 'exists' }, writes: [], xid };
        if ((count?.agents ?? 0) >= maxAgents) {
          return { value: { outcome: 'full' }, writes: [], xid };
        }
        const created = { ...agent, createdAtMs: mark.nowMs };
        const writes = toStatements(INSERT_AGENTS, [created]);
        return { value: { outcome: 'created', agent: created }, writes, xid };
      }),
    update: async (id, change) => {
      if (!isStorableId(id)) return undefined;
      return database.transact(async (transaction) => {
        const statement = { name: 'lock_agent', text: LOCK, values: [id] };
        const [[stored], mark] = await Promise.all([
          transaction.query<StoredAgent>(statement),
          readMark(transaction, nowMs?.()),
        ]);
        if (!stored) return { value: undefined, writes: [], xid: mark.xid };
        const agent = { ...decodeAgent(stored), ...change };
        return { value: agent, writes: toStatements(UPDATE_AGENTS, [agent]), xid: mark.xid };
      });
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
