import { RuntimeError } from '../errors.ts';
import { createMemoryChanges } from './change-memories.ts';
import { createIngest } from './ingest-memories.ts';
import type { Memories, MemoriesDeps } from './memories.ts';
import { createMemoryReads } from './read-memories.ts';

export function createMemories(deps: MemoriesDeps): Memories {
  const ingestAll = createIngest(deps);
  const reads = createMemoryReads(deps);
  return {
    ingestAll,
    async ingest(given) {
      const [ingested] = await ingestAll([given]);
      if (!ingested) throw new RuntimeError('internal', 'an ingested memory has no id');
      return ingested;
    },
    ...reads,
    ...createMemoryChanges(deps, reads.get),
    stats: deps.readEmbedding,
  };
}
