import { createIds } from '../../src/core/create-ids.ts';
import type { MemoryId } from '../../src/core/ids.ts';
import type { NewMemory } from '../../src/core/memory/memory-store.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import type { Storage } from '../../src/core/storage.ts';
import { AGENT } from './harness.ts';

const ids = createIds(() => Date.now());

export function newMemory(overrides: Partial<NewMemory> = {}): NewMemory {
  const id = ids.memory();
  return {
    id,
    owner: OPERATOR,
    key: undefined,
    agentId: AGENT,
    agentName: AGENT,
    projectId: 'proj_001',
    sessionId: undefined,
    content: `says ${id}`,
    source: 'chat',
    tags: [],
    timestampMs: undefined,
    extra: {},
    priorityScore: 5,
    isPrivate: false,
    isTrusted: true,
    ...overrides,
  };
}

/** The ids they got. */
export async function ingest(
  { memories }: Pick<Storage, 'memories'>,
  ...given: readonly Partial<NewMemory>[]
): Promise<MemoryId[]> {
  const result = await memories.ingest(given.map(newMemory));
  if (result.outcome !== 'ingested') throw new Error(`item ${result.index} was refused`);
  return result.memories.map(({ id }) => id);
}
