import { defined } from '../defined.ts';
import type { AgentId } from '../ids.ts';
import type { Memory } from './memory.ts';
import type { MemoryAgent } from './memory-agents.ts';
import type { MemoryFilter } from './memory-index.ts';

/** Who looks, for whom. */
export interface Onlooker {
  /** Only what this principal owns; undefined: of everybody. */
  readonly owner: string | undefined;
  /** Nobody in particular when undefined. */
  readonly reader: MemoryAgent | undefined;
}

/**
 * The one rule of who sees what: a memory is seen by others than its agent only when it was written as shared and its
 * agent shares now; an agent that keeps its own to itself reads nothing else; what is pinned is seen in every project.
 */
export function toVisibility(
  { owner, reader }: Onlooker,
  privateAgentIds: readonly AgentId[],
): MemoryFilter {
  const isOwnOnly = reader?.memoryAccess === 'private';
  return {
    ...defined({ owner }),
    ...(reader === undefined ? {} : { readerId: reader.id }),
    ...(isOwnOnly ? { isOwnOnly } : { withPinned: true }),
    privateAgentIds,
  };
}

/** Whether a filter lets a memory through: for what no index was asked about. */
export function isVisible(memory: Memory, filter: MemoryFilter): boolean {
  return isSeen(memory, filter) && isInProject(memory, filter) && isWanted(memory, filter);
}

function isSeen(memory: Memory, filter: MemoryFilter): boolean {
  if (filter.owner !== undefined && memory.owner !== filter.owner) return false;
  if (filter.readerId === memory.agentId) return true;
  const isKept = memory.isPrivate || filter.privateAgentIds.includes(memory.agentId);
  return filter.isOwnOnly !== true && !isKept;
}

function isInProject({ projectId, pinned }: Memory, filter: MemoryFilter): boolean {
  if (filter.projectId === undefined || filter.projectId === projectId) return true;
  return filter.withPinned === true && pinned;
}

function isWanted(memory: Memory, filter: MemoryFilter): boolean {
  const { agentId, sessionId, source, tags = [], sinceMs, untilMs } = filter;
  return (
    (agentId === undefined || memory.agentId === agentId) &&
    (sessionId === undefined || memory.sessionId === sessionId) &&
    (source === undefined || memory.source === source) &&
    tags.every((tag) => memory.tags.includes(tag)) &&
    (sinceMs === undefined || memory.timestampMs >= sinceMs) &&
    (untilMs === undefined || memory.timestampMs <= untilMs)
  );
}
