import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { MemoryId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EmbeddingStatus } from '../../core/memory/embedding-queue.ts';
import type { GivenMemory } from '../../core/memory/given-memory.ts';
import type { GivenChange, MemoryList, MemoryWishes, Viewer } from '../../core/memory/memories.ts';
import type { StoredMemory } from '../../core/memory/memory-store.ts';
import type { FoundMemories } from '../../core/memory/search-memories.ts';
import { decodeIdCursor, encodeNext } from '../cursor.ts';
import type {
  ChangeShape,
  FoundMemoriesShape,
  IngestItemShape,
  MemoryListShape,
  MemoryShape,
  MemoryStatsShape,
  WishesShape,
} from './memory-shapes.ts';

export function encodeMemory(memory: StoredMemory): MemoryShape {
  return {
    ...encodeShown(memory),
    agent_id: memory.agentId,
    owner: memory.owner,
    private: memory.isPrivate,
    pin_reason: memory.pinReason ?? null,
    created_at: toIso(memory.createdAtMs),
    updated_at: toIso(memory.updatedAtMs),
  };
}

function encodeShown(memory: StoredMemory) {
  const { sessionId } = memory;
  return {
    id: memory.id,
    content: memory.content,
    priority_score: memory.priorityScore,
    access_count: memory.accessCount,
    pinned: memory.pinned,
    trusted: memory.isTrusted,
    metadata: {
      ...memory.extra,
      agent_id: memory.agentName,
      project_id: memory.projectId,
      source: memory.source,
      timestamp: toIso(memory.timestampMs),
      ...defined({ session_id: sessionId }),
      tags: [...memory.tags],
    },
  };
}

export function encodeMemoryPage({ memories, next }: MemoryList): MemoryListShape {
  return { memories: memories.map(encodeMemory), next_cursor: encodeNext(next) };
}

export function encodeFound(
  query: string,
  { found, isDegraded }: FoundMemories,
  isExplained: boolean,
): FoundMemoriesShape {
  return {
    query,
    results: found.map(({ memory, score, why }) => ({
      ...encodeShown(memory),
      score,
      ...(isExplained ? { why: { ...why } } : {}),
    })),
    degraded: isDegraded,
  };
}

export function encodeStats(stats: EmbeddingStatus): MemoryStatsShape {
  return {
    chunks: stats.memories,
    embedded: stats.embedded,
    pending_embeddings: stats.pending,
    model: stats.model ?? null,
    texts_per_second: stats.textsPerSecond ?? null,
    degraded: stats.isDegraded,
    embedding_error: stats.error?.message ?? null,
    retry_at: stats.retryAtMs === undefined ? null : toIso(stats.retryAtMs),
  };
}

export function decodeItem(item: IngestItemShape, owner: string): GivenMemory {
  const { agent_id, project_id, source, timestamp, session_id, tags, ...extra } = item.metadata;
  return {
    owner,
    agent: agent_id,
    projectId: project_id,
    content: item.content,
    source,
    extra: extra as JsonObject,
    ...defined({
      sessionId: session_id,
      tags,
      timestampMs: decodeTime(timestamp),
      priorityScore: item.priority_score,
      key: item.key,
    }),
  };
}

/** A header and a parameter name the reader alike; two that differ name nobody. */
export function decodeReader(
  { agent_id: parameter }: { readonly agent_id?: string | undefined },
  header: string | undefined,
): Pick<Viewer, 'reader'> {
  if (parameter !== undefined && header !== undefined && parameter !== header)
    throw new RuntimeError('invalid_input', 'agent_id and x-clawos-agent-id name different agents');
  const reader = parameter ?? header;
  return reader === undefined ? {} : { reader };
}

export function decodeWishes(query: WishesShape, header: string | undefined): MemoryWishes {
  return {
    ...decodeReader(query, header),
    ...defined({
      projectId: query.project_id,
      author: query.author_id,
      sessionId: query.session_id,
      source: query.source,
      tags: decodeTags(query.tags),
      sinceMs: decodeTime(query.since),
      untilMs: decodeTime(query.until),
    }),
  };
}

export function decodeChange({ content, priority_score, metadata = {} }: ChangeShape): GivenChange {
  const { project_id, timestamp, session_id, tags, ...extra } = metadata;
  for (const name of ['agent_id', 'source']) {
    if (name in extra) throw new RuntimeError('invalid_input', `metadata.${name} can't be changed`);
  }
  return {
    ...defined({
      content,
      priorityScore: priority_score,
      projectId: project_id,
      sessionId: session_id,
      tags,
      timestampMs: decodeTime(timestamp),
    }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: extra as JsonObject }),
  };
}

export function decodeMemoryCursor(cursor: string): MemoryId {
  return decodeIdCursor(cursor) as MemoryId;
}

function decodeTime(iso: string | undefined): number | undefined {
  if (iso === undefined) return undefined;
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new RuntimeError('invalid_input', `${iso} is not a date and time`);
  return ms;
}

function decodeTags(tags: string | undefined): readonly string[] | undefined {
  const all = tags?.split(',').map((tag) => tag.trim());
  return all?.filter((tag) => tag !== '');
}
