import { CHAIN_ROOT } from '../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import type { LogHead, RecordStore, RowTexts } from '../../core/records/record-store.ts';
import type { Database } from './database.ts';
import { clampLimit, MAX_PAGE_RUNS } from './statement.ts';
import { decodeText, isStorableId } from './text-codec.ts';

interface StoredHead {
  readonly id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly end_seq: number;
  readonly end_hash: string;
  readonly floor_seq: number;
  readonly floor_hash: string | null;
  readonly recorded: boolean;
  readonly last_seq: number;
  readonly message: string;
  readonly output: string | null;
}

const SELECT = `
  select r.id, r.agent_id, r.status, r.last_seq as end_seq, r.last_hash as end_hash,
    r.floor_seq, r.floor_hash, r.recorded, r.message, r.output,
    coalesce((select max(e.seq) from events e where e.run_id = r.id), 0) as last_seq
  from runs r`;
const FIND = `${SELECT} where r.id = $1`;
const LIST = `${SELECT} order by r.id desc limit $1`;
const LIST_NEXT = `${SELECT} where r.id < $2 order by r.id desc limit $1`;

export function createRecordStore(database: Database): RecordStore {
  return {
    async findHead(runId) {
      if (!isStorableId(runId)) return undefined;
      const statement = { name: 'find_head', text: FIND, values: [runId] };
      const [stored] = await database.read<StoredHead>(statement);
      return stored && decodeHead(stored);
    },

    async listHeads({ limit, before }) {
      const size = clampLimit(limit, MAX_PAGE_RUNS);
      const stored = await database.read<StoredHead>(
        before === undefined
          ? { name: 'list_heads', text: LIST, values: [size] }
          : { name: 'list_next_heads', text: LIST_NEXT, values: [size, before] },
      );
      return stored.map(decodeHead);
    },
  };
}

function decodeHead(stored: StoredHead): LogHead {
  return {
    runId: stored.id as RunId,
    agentId: stored.agent_id as AgentId,
    status: stored.status,
    end: { seq: stored.end_seq, hash: stored.end_hash },
    lastSeq: stored.last_seq,
    floor: { seq: stored.floor_seq, hash: stored.floor_hash ?? CHAIN_ROOT },
    isRecorded: stored.recorded,
    texts: decodeTexts(stored),
  };
}

function decodeTexts({ message, output }: StoredHead): RowTexts | 'unreadable' {
  try {
    return {
      message: decodeText(message),
      output: output === null ? undefined : decodeText(output),
    };
  } catch {
    return 'unreadable';
  }
}
