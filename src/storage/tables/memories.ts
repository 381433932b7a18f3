import {
  CHANGED_MEMORIES,
  MEMORIES,
  MEMORIES_BY_DIGEST,
  MEMORY_HEAD,
  MEMORY_KEYS,
  NEWEST_MEMORIES,
  NEWEST_OF_PROJECT,
  PRIVATE_MEMORIES,
  REMOVED_MEMORIES,
} from '../../core/memory/memory-rows.ts';
import { byOtherKey, querySql, table } from './table.ts';
import { isKept } from './visible-to.ts';

export const MEMORY_TABLE = table(MEMORIES, {
  id: 'id',
  owner: 'text',
  agentId: 'id',
  agentName: 'text',
  projectId: 'id',
  sessionId: 'text?',
  content: 'text',
  source: 'text',
  tags: 'json',
  timestampMs: 'ms',
  extra: 'json',
  priorityScore: 'int',
  pinned: 'flag',
  pinReason: 'text?',
  unpinnedScore: 'int?',
  isPrivate: 'flag',
  isTrusted: 'flag',
  accessCount: 'int',
  accessedAtMs: 'ms',
  createdAtMs: 'ms',
  updatedAtMs: 'ms',
  revision: 'int',
  digest: 'id',
  removedAtMs: 'ms?',
});

export const MEMORY_DIGEST_TABLE = byOtherKey(MEMORY_TABLE, MEMORIES_BY_DIGEST);

export const MEMORY_KEY_TABLE = table(MEMORY_KEYS, {
  key: 'id',
  digest: 'id',
  memoryId: 'id',
  createdAtMs: 'ms',
});

export const MEMORY_HEAD_TABLE = table(MEMORY_HEAD, {
  no: 'int',
  revision: 'int',
  memories: 'int',
  purgedThrough: 'int',
});

const SELECT = `select ${MEMORY_TABLE.select} from memories`;

export const MEMORY_QUERIES = [
  querySql(CHANGED_MEMORIES, {
    params: { after: 'int', limit: 'int' },
    answer: MEMORY_TABLE,
    text: `${SELECT} where revision > :after order by revision limit :limit`,
  }),
  querySql(NEWEST_MEMORIES, {
    params: { before: 'id', limit: 'int' },
    answer: MEMORY_TABLE,
    text: `${SELECT} where removed_at_ms is null and id < :before order by id desc limit :limit`,
  }),
  querySql(NEWEST_OF_PROJECT, {
    params: { before: 'id', projectId: 'id', limit: 'int' },
    answer: MEMORY_TABLE,
    text: `
      ${SELECT} where removed_at_ms is null and project_id = :projectId and id < :before
      order by id desc limit :limit`,
  }),
  querySql(PRIVATE_MEMORIES, {
    params: { agentId: 'id', limit: 'int' },
    answer: MEMORY_TABLE,
    text: `
      ${SELECT} where agent_id = :agentId and (is_private or ${isKept(':agentId')}) and removed_at_ms is null
      order by id limit :limit`,
  }),
  querySql(REMOVED_MEMORIES, {
    params: { keepMs: 'ms', limit: 'int' },
    answer: { id: 'id', revision: 'int' },
    text: `
      select id, revision from memories
      where removed_at_ms is not null and removed_at_ms <= (select :now - :keepMs)
      order by removed_at_ms limit :limit`,
  }),
];
