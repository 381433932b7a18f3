import { clampLimit } from '../../../core/clamp-limit.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import type { LogHead, RecordStore, RowTexts } from '../../../core/records/record-store.ts';
import { isStorableId } from '../../tables/column.ts';
import type { CommitDeps } from '../commit-writes.ts';
import { clockSql, MAX_PAGE_RUNS } from '../statement.ts';
import { decodeText } from '../text-codec.ts';
import { listEvents } from './event-listing.ts';
import { restoreWrite } from './restore-write.ts';
import type { RunWriter } from './run-writer.ts';

interface StoredHead {
  readonly id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly end_seq: number;
  readonly end_hash: string;
  readonly floor_seq: number;
  readonly floor_hash: string | null;
  readonly recorded: boolean;
  readonly audited_seq: number;
  readonly recorder: string | null;
  readonly last_seq: number;
  readonly last_hash: string | null;
  readonly has_ended: boolean;
  readonly message: string;
  readonly output: string | null;
}

const SELECT = `
  select r.id, r.agent_id, r.status, r.last_seq as end_seq, r.last_hash as end_hash,
    r.floor_seq, r.floor_hash, r.recorded, r.audited_seq, r.recorder, r.message, r.output,
    coalesce(l.seq, 0) as last_seq, l.hash as last_hash, r.ended_at_ms is not null as has_ended
  from runs r left join lateral (
    select seq, hash from events e where e.run_id = r.id order by e.seq desc limit 1
  ) l on true`;
const FIND = `${SELECT} where r.id = $1`;
const LIST = `${SELECT} order by r.id desc limit $1`;
const LIST_NEXT = `${SELECT} where r.id < $2 order by r.id desc limit $1`;

const LIST_OWN = 'select id from runs where id = any($1::text[]) and recorder = $2';

/** So long after the end of its lease a node is forgotten. */
const GONE_MS = 7 * 86_400_000;

// One that comes back in this moment, or that another node is deleting, is left alone: nobody waits for anybody.
const RENEW = `
  with gone as (
    delete from nodes where id in (
      select id from nodes where lease_expires_at_ms < ${clockSql('$3')} - $4::bigint and id <> $1
      for update skip locked))
  insert into nodes (id, lease_expires_at_ms) values ($1, ${clockSql('$3')} + $2::bigint)
  on conflict (id) do update set lease_expires_at_ms = excluded.lease_expires_at_ms`;

export function createRecordStore(deps: CommitDeps, { submit }: RunWriter): RecordStore {
  const { database, node } = deps;
  return {
    listEvents: (page) => listEvents(database, page),

    async listOwn(runIds) {
      if (node === undefined) return runIds;
      const values = [runIds, node];
      const rows = await database.read<{ id: string }>({
        name: 'list_own',
        text: LIST_OWN,
        values,
      });
      return rows.map(({ id }) => id as RunId);
    },

    async renewNode(leaseMs) {
      if (node === undefined) return;
      const values = [node, leaseMs, deps.nowMs?.() ?? null, GONE_MS];
      await database.write({ name: 'renew_node', text: RENEW, values });
    },

    restore: (run) => submit(restoreWrite(run)),

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
    last: { seq: stored.last_seq, hash: stored.last_hash ?? CHAIN_ROOT },
    hasEnded: stored.has_ended,
    floor: { seq: stored.floor_seq, hash: stored.floor_hash ?? CHAIN_ROOT },
    recorder: stored.recorder ?? undefined,
    isRecorded: stored.recorded,
    auditedSeq: stored.audited_seq,
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
