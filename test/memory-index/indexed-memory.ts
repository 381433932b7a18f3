import type { AgentId, MemoryId } from '../../src/core/ids.ts';
import type { IndexedMemory, MemoryFilter } from '../../src/core/memory/memory-index.ts';

export const EVERYBODY: MemoryFilter = { privateAgentIds: [] };

/** A memory with the members given, everything else plain. */
export function createIndexedMemory(
  given: Partial<Omit<IndexedMemory, 'id' | 'agentId'>> & {
    readonly id: string;
    readonly agentId?: string;
  },
): IndexedMemory {
  return {
    owner: 'operator',
    projectId: 'project',
    sessionId: undefined,
    content: '',
    source: 'chat',
    tags: [],
    timestampMs: 0,
    extra: {},
    priorityScore: 0,
    pinned: false,
    isPrivate: false,
    isTrusted: true,
    accessCount: 0,
    accessedAtMs: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
    revision: 0,
    vectors: [],
    ...given,
    id: given.id as MemoryId,
    agentId: (given.agentId ?? 'agent') as AgentId,
  };
}
