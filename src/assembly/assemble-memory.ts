import type { LiveConfig } from '../config/live-config.ts';
import { resolveAgent } from '../core/agents/resolve-agent.ts';
import { systemClock } from '../core/clock.ts';
import type { Ids, RunId } from '../core/ids.ts';
import { createAccessCounter } from '../core/memory/count-accesses.ts';
import { createMemories } from '../core/memory/create-memories.ts';
import type { ConfiguredEmbedder } from '../core/memory/embedding-pass.ts';
import { createIndexKeeper } from '../core/memory/keep-index.ts';
import type { Memories } from '../core/memory/memories.ts';
import { createRecall, type Recall, type RecallSettings } from '../core/memory/recall-memories.ts';
import { createRunNotes, type LeaveNote } from '../core/memory/run-notes.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Storage } from '../core/storage.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { Role } from '../open-storage.ts';
import { createMemoryTools } from '../toolbox/memory/memory-tools.ts';
import { assembleEmbeddings, type EmbeddingGround } from './assemble-embeddings.ts';

export interface MemoryGround extends EmbeddingGround {
  readonly storage: Pick<Storage, 'memories' | 'vectors' | 'agents' | 'runs'>;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly role: Role;
}

export interface AssembledMemory {
  readonly memories: Memories;
  readonly tools: readonly Tool[];
  /** What runs begin with. */
  readonly recall: Recall;
  readonly leaveNote: LeaveNote;
  /** Memories have come in by another way: they wait to be embedded. */
  readonly noteMemories: () => void;
  /** Undefined when none is configured. */
  findEmbedder(): ConfiguredEmbedder | undefined;
}

/** Unused for so long, the index gives its memory back. Making it anew takes seconds for 100,000 memories. */
const INDEX_IDLE_MS = 30 * 60 * 1000;

/** What agents remember. Nothing is loaded before somebody searches. */
export function assembleMemory(ground: MemoryGround): AssembledMemory {
  const { closing, storage, ids, redactor, logger } = ground;
  const clock = systemClock;
  const store = storage.memories;
  const embeddings = assembleEmbeddings(ground);
  const accesses = createAccessCounter({ store, clock, logger });
  const keeper = createIndexKeeper({
    store,
    async openIndex() {
      const { openThreadIndex } = await import('../memory-index/open-thread-index.ts');
      return openThreadIndex();
    },
    toIndexChanges: embeddings.toIndexChanges,
    model: embeddings.model,
    clock,
    logger,
    idleMs: INDEX_IDLE_MS,
  });
  closing.add(async () => {
    await keeper.close();
    await accesses.close();
  });
  let ingests = 0;
  const noteMemories = () => {
    ingests += 1;
    embeddings.queue.wake();
  };
  const memories = createMemories({
    store,
    keeper,
    accesses,
    agents: {
      resolve: (reference) => resolveAgent(storage.agents, reference),
      listPrivate: () => storage.agents.listPrivate(),
    },
    embedQuery: embeddings.embedQuery,
    readEmbedding: embeddings.queue.status,
    onIngest: noteMemories,
    ids,
    redactor,
    clock,
    logger,
  });
  // Others leave it to the next server.
  if (ground.role === 'server') embeddings.queue.start();
  const findProject = async (id: RunId) => (await storage.runs.find(id))?.projectId;
  const recall = createRecall({
    memories,
    store,
    ingests: () => ingests,
    clock,
    logger,
    settings: () => toRecallSettings(ground.live),
  });
  const leaveNote = createRunNotes({
    memories,
    logger,
    isOn: () => ground.live.current().config.memory.run_notes,
  });
  const tools = createMemoryTools({ memories, findProject });
  const { configured: findEmbedder } = embeddings;
  return { memories, recall, leaveNote, noteMemories, tools, findEmbedder };
}

function toRecallSettings(live: LiveConfig): RecallSettings {
  const { memory } = live.current().config;
  return {
    isOn: memory.recall,
    contextChars: memory.context_chars,
    maxRecalled: memory.max_recalled,
    timeoutMs: memory.recall_timeout_ms,
  };
}
