import type { Clock } from '../clock.ts';
import type { MemoryId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { AccessCounter } from './count-accesses.ts';
import type { IndexKeeper } from './keep-index.ts';
import type { MemoryFilter, MemoryIndex, RankedMemory } from './memory-index.ts';
import type { MemoryStore, StoredMemory } from './memory-store.ts';
import { isVisible } from './visibility.ts';

/** Turns questions into vectors. Throws when it can't now. */
export type EmbedQuery = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly Float32Array[]>;

export interface SearchDeps {
  readonly store: Pick<MemoryStore, 'findAll'>;
  readonly keeper: Pick<IndexKeeper, 'use'>;
  readonly accesses: Pick<AccessCounter, 'count' | 'pendingOf'>;
  /** Undefined when there is none to ask: then words alone decide. */
  readonly embedQuery: () => EmbedQuery | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MemoryQuery {
  readonly text: string;
  readonly filter: MemoryFilter;
  readonly limit: number;
  /** What a reader will not be given after all. */
  readonly isWanted?: (found: FoundMemory) => boolean;
  /** How long the question may take to become vectors; then words alone decide. */
  readonly embedTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface FoundMemory extends Pick<RankedMemory, 'score' | 'why'> {
  readonly memory: StoredMemory;
}

export interface FoundMemories {
  readonly found: readonly FoundMemory[];
  /** By words alone, because the embedder did not answer. */
  readonly isDegraded: boolean;
}

/** For whoever says nothing else. */
const EMBED_TIMEOUT_MS = 2_000;

export async function searchMemories(deps: SearchDeps, query: MemoryQuery): Promise<FoundMemories> {
  const { text, filter, limit } = query;
  const { ranked, isDegraded } = await deps.keeper.use(async (index) => {
    const { vectors, isDegraded: isWithout } = await toVectors(deps, index, query);
    const nowMs = deps.clock.nowMs();
    return {
      ranked: await index.search({ text, vectors, filter, limit, nowMs }),
      isDegraded: isWithout,
    };
  });
  const stored = await deps.store.findAll(ranked.map(({ id }) => id));
  const byId = new Map<MemoryId, StoredMemory>(stored.map((memory) => [memory.id, memory]));
  const found = ranked.flatMap(({ id, score, why }): FoundMemory[] => {
    const memory = byId.get(id);
    // It may have changed since the index looked.
    if (!memory || !isVisible(memory, filter)) return [];
    const accessCount = memory.accessCount + deps.accesses.pendingOf(id);
    return [{ memory: { ...memory, accessCount }, score, why }];
  });
  // Nobody waits any more, so nobody was given anything.
  query.signal?.throwIfAborted();
  const wanted = query.isWanted ? found.filter(query.isWanted) : found;
  deps.accesses.count(wanted.map(({ memory }) => memory.id));
  return { found: wanted, isDegraded };
}

async function toVectors(
  deps: SearchDeps,
  index: MemoryIndex,
  { text, filter, signal, embedTimeoutMs = EMBED_TIMEOUT_MS }: MemoryQuery,
): Promise<{ vectors: readonly Float32Array[] | undefined; isDegraded: boolean }> {
  const embed = deps.embedQuery();
  if (!embed) return { vectors: undefined, isDegraded: false };
  const forms = await index.prepare({ text, filter });
  const limit = new AbortController();
  const cancel = deps.clock.after(embedTimeoutMs, () => limit.abort());
  const signals = signal ? AbortSignal.any([limit.signal, signal]) : limit.signal;
  try {
    const vectors = await Promise.race([embed(forms, signals), whenAborted(signals)]);
    return { vectors, isDegraded: vectors === undefined };
  } catch (err) {
    deps.logger.debug({ err }, 'a question could not be embedded');
    return { vectors: undefined, isDegraded: true };
  } finally {
    cancel();
  }
}

/** An embedder that ignores its signal is not waited for. */
function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
