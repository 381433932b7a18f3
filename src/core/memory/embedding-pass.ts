import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { embedMemories, type SplitMemory } from './embed-memories.ts';
import type { Embedder } from './embedder.ts';
import type { MemoryStore } from './memory-store.ts';
import { splitText } from './split-text.ts';
import type { UnembeddedMemory, VectorStore } from './vector-store.ts';

/** One go over all memories that have changed since the last one. */
export interface EmbeddingPass {
  run(configured: ConfiguredEmbedder): Promise<void>;
}

/** The model that the configuration names. It is loaded when there is something for it. */
export interface ConfiguredEmbedder {
  readonly model: string;
  open(): Promise<Embedder>;
}

export interface EmbeddingPassDeps {
  readonly store: VectorStore;
  readonly memories: Pick<MemoryStore, 'head'>;
  /** Now: it may change while a pass goes on, which ends then. */
  readonly configured: () => ConfiguredEmbedder | undefined;
  /** What of a memory is embedded. */
  readonly toText: (content: string) => string;
  /** This process, among all that share the store. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told after each page. */
  readonly measure: (texts: number, ms: number) => void;
}

/** After a crash another node goes on this much later. Longer than any page takes with an embedder that is well. */
const LEASE_MS = 2 * 60_000;
const PAGE_MEMORIES = 64;
/** Pieces of one page. A page of a single memory may have more. */
const PAGE_PIECES = 128;
const CLEAN_EVERY_MS = 10 * 60_000;
const MAX_CLEANED = 100;

export function createEmbeddingPass(deps: EmbeddingPassDeps): EmbeddingPass {
  const { store, clock, logger, owner, signal } = deps;
  let cleanAtMs = 0;

  async function run({ model, open }: ConfiguredEmbedder): Promise<void> {
    const [{ revision }, seen] = await Promise.all([deps.memories.head(), store.findPlace(model)]);
    if ((seen?.through ?? 0) < revision) {
      const place = await store.holdPlace({ model, owner, leaseMs: LEASE_MS });
      if (place.outcome === 'taken') return;
      try {
        await walk({ model, open, through: place.through });
      } finally {
        await store.releasePlace({ model, owner });
      }
    }
    await clean(model);
  }

  /** From revision to revision until there is none left. */
  async function walk({ model, open, through }: Walk): Promise<void> {
    let reached = through;
    let embedder: Embedder | undefined;
    while (!signal.aborted && deps.configured()?.model === model) {
      const page = await store.readPage({ model, after: reached, limit: PAGE_MEMORIES });
      if (page.through === undefined) return;
      const { taken, rest: left } = takePieces(page.unembedded, deps.toText);
      // Of a page that is too much the first ones: all before the last of them are done.
      reached = left ? (taken.at(-1)?.memory.revision ?? reached) : page.through;
      const startedAtMs = clock.nowMs();
      if (taken.length > 0) embedder ??= await open();
      const memories = embedder ? await embedMemories({ embedder, logger, signal }, taken) : [];
      const stored = await store.storeVectors({ model, owner, memories, through: reached });
      if (stored.outcome === 'lost_place') return;
      if (stored.outcome === 'wrong_dimensions') throw wrongDimensions(model, stored.expected);
      deps.measure(countPieces(taken), clock.nowMs() - startedAtMs);
      if ((await store.holdPlace({ model, owner, leaseMs: LEASE_MS })).outcome === 'taken') return;
    }
  }

  /** What another model left behind. */
  async function clean(model: string): Promise<void> {
    if (clock.nowMs() < cleanAtMs) return;
    for (let count = 0; count < MAX_CLEANED && !signal.aborted; count += 1) {
      if (await store.removeOthers(model)) continue;
      cleanAtMs = clock.nowMs() + CLEAN_EVERY_MS;
      return;
    }
  }

  return { run };
}

interface Walk extends ConfiguredEmbedder {
  readonly through: number;
}

function countPieces(memories: readonly SplitMemory[]): number {
  return memories.reduce((sum, { pieces }) => sum + pieces.length, 0);
}

/** As many memories as have no more pieces than a page takes, but at least one. */
function takePieces(memories: readonly UnembeddedMemory[], toText: (content: string) => string) {
  const taken: SplitMemory[] = [];
  let count = 0;
  for (const memory of memories) {
    const pieces = splitText(toText(memory.content));
    if (taken.length > 0 && count + pieces.length > PAGE_PIECES) return { taken, rest: true };
    taken.push({ memory, pieces });
    count += pieces.length;
  }
  return { taken, rest: false };
}

export function wrongDimensions(model: string, expected: number): RuntimeError {
  return new RuntimeError(
    'provider_failed',
    `${model} answers with vectors of another length than the ${expected} numbers of those it gave before: check memory.embedding.model and base_url`,
    { retryable: false, details: { model, expected } },
  );
}
