import { FEED_ITEMS, KNOWN_MEMORIES } from '../../core/knowledge/stored-feed.ts';
import { querySql } from './table.ts';
import { visibleOfLiving, visibleToReader } from './visible-to.ts';

/** One source of the feed: its newest items, before the last one that was seen. */
interface Source {
  readonly from: string;
  readonly id: string;
  readonly atMs: string;
  readonly columns: string;
  readonly where: string;
}

function newestOf({ from, id, atMs, columns, where }: Source): string {
  return `
    select * from (
      select ${id} as id, ${atMs} as at_ms, ${columns} from ${from}
      where ${where}
        and (${atMs} < :atMs or (${atMs} = :atMs and ${id} < :before))
      order by ${atMs} desc, ${id} desc limit :limit
    ) as newest_${from}`;
}

const IS_OF_PAIR = '(not :isOwnOnly or sender = :readerId or receiver = :readerId)';
const RESULT_ID = "id || '.result'";
/** What an agent that keeps to itself has answered is for the one that asked. */
const SEEN_RESULT = `
  case when sender = :readerId or ${visibleOfLiving('handoffs.receiver')}
    then coalesce(result, error) end`;

const SOURCES: readonly Source[] = [
  {
    from: 'handoffs',
    id: 'id',
    atMs: 'created_at_ms',
    columns: `'handoff' as kind, sender as agent_id, receiver as to_agent_id, content as text,
      null as relation, null as object`,
    where: `project_id = :projectId and owner = :owner and ${IS_OF_PAIR}`,
  },
  {
    from: 'handoffs',
    id: RESULT_ID,
    atMs: 'ended_at_ms',
    columns: `'handoff_result' as kind, receiver as agent_id, sender as to_agent_id,
      ${SEEN_RESULT} as text, null as relation, null as object`,
    where: `
      project_id = :projectId and owner = :owner and ended_at_ms is not null and ${IS_OF_PAIR}`,
  },
  {
    from: 'facts',
    id: 'id',
    atMs: 'created_at_ms',
    columns: `'fact' as kind, agent_id, null as to_agent_id, subject as text, relation, object`,
    where: `
      project_id = :projectId and owner = :owner
      and ${visibleToReader('facts.agent_id', 'is_private')}`,
  },
  {
    from: 'memories',
    id: 'id',
    atMs: 'created_at_ms',
    columns: `'memory' as kind, agent_id, null as to_agent_id, content as text,
      null as relation, null as object`,
    // A hand-off tells of itself.
    where: `
      project_id = :projectId and owner = :owner and removed_at_ms is null and priority_score >= 7
      and source <> '"handoff"' and ${visibleToReader('memories.agent_id', 'is_private')}`,
  },
  {
    from: 'runs',
    id: 'id',
    atMs: 'ended_at_ms',
    columns: `'run' as kind, agent_id, null as to_agent_id, null as text,
      null as relation, null as object`,
    where: `
      project_id = :projectId and coalesce(owner, '"operator"') = :owner and ended_at_ms is not null
      and source <> 'handoff' and ${visibleOfLiving('runs.agent_id')}`,
  },
];

const SEEN = {
  owner: 'text',
  readerId: 'id?',
  isOwnOnly: 'flag',
  projectId: 'id',
  limit: 'int',
} as const;

export const FEED_QUERIES = [
  querySql(FEED_ITEMS, {
    params: { ...SEEN, atMs: 'ms', before: 'id' },
    answer: {
      id: 'id',
      atMs: 'ms',
      kind: 'id',
      agentId: 'id?',
      toAgentId: 'id?',
      text: 'text?',
      relation: 'text?',
      object: 'text?',
    },
    text: `${SOURCES.map(newestOf).join('\nunion all')}
      order by at_ms desc, id desc limit :limit`,
  }),
  querySql(KNOWN_MEMORIES, {
    params: { ...SEEN, before: 'id?' },
    answer: { id: 'id', agentId: 'id', content: 'text', tags: 'json', createdAtMs: 'ms' },
    text: `
      select id, agent_id, content, tags, created_at_ms from memories
      where project_id = :projectId and owner = :owner and removed_at_ms is null
        and (:before is null or id < :before)
        and source <> '"handoff"' and ${visibleToReader('memories.agent_id', 'is_private')}
      order by id desc limit :limit`,
  }),
];
