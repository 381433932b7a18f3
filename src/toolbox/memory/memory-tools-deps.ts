import type { RunId } from '../../core/ids.ts';
import type { Memories } from '../../core/memory/memories.ts';

export interface MemoryToolsDeps {
  readonly memories: Pick<Memories, 'ingest' | 'search' | 'pin'>;
  /** The project that a run belongs to. */
  readonly findProject: (runId: RunId) => Promise<string | undefined>;
}
