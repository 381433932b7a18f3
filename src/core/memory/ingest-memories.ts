import { RuntimeError } from '../errors.ts';
import { type GivenMemory, invalid, parseGiven } from './given-memory.ts';
import type { Memories, MemoriesDeps } from './memories.ts';
import type { MemoryAgent } from './memory-agents.ts';
import { otherText } from './memory-faults.ts';
import type { IngestedMemory } from './memory-store.ts';

const MAX_BATCH = 500;

type IngestDeps = Pick<MemoriesDeps, 'store' | 'agents' | 'ids' | 'redactor' | 'onIngest'>;

export function createIngest(deps: IngestDeps): Memories['ingestAll'] {
  const { store, agents, redactor } = deps;

  async function ingestAll(given: readonly GivenMemory[]): Promise<readonly IngestedMemory[]> {
    if (given.length === 0) throw invalid('there is nothing to ingest');
    if (given.length > MAX_BATCH) throw invalid(`a batch may have at most ${MAX_BATCH} items`);
    const known = new Map<string, MemoryAgent>();
    const drafts = [];
    for (const [index, one] of given.entries()) {
      drafts.push(await naming(index, given.length, () => toDraft(one, known)));
    }
    const result = await store.ingest(drafts);
    if (result.outcome === 'other_text') {
      throw withIndex(otherText(result.id), result.index, given.length);
    }
    deps.onIngest?.();
    return result.memories;
  }

  async function toDraft(given: GivenMemory, known: Map<string, MemoryAgent>) {
    const parsed = parseGiven(given, redactor);
    const agent = known.get(given.agent) ?? (await agents.resolve(given.agent));
    known.set(given.agent, agent);
    const isPrivate = agent.memoryAccess === 'private' && given.isShared !== true;
    return {
      ...parsed,
      id: deps.ids.memory(),
      owner: given.owner,
      agentId: agent.id,
      agentName: given.agent.trim(),
      isPrivate,
    };
  }

  return ingestAll;
}

/** Which of several was refused. */
async function naming<Value>(
  index: number,
  total: number,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof RuntimeError ? withIndex(thrown, index, total) : thrown;
  }
}

function withIndex(error: RuntimeError, index: number, total: number): RuntimeError {
  if (total === 1) return error;
  return new RuntimeError(error.code, `items[${index}]: ${error.message}`, {
    details: { ...error.details, index },
    cause: error.cause,
  });
}
