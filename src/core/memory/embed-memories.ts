import { RuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Embedder } from './embedder.ts';
import type { EmbeddedMemory, UnembeddedMemory } from './vector-store.ts';

/** A memory and the texts that are embedded for it. */
export interface SplitMemory {
  readonly memory: UnembeddedMemory;
  readonly pieces: readonly string[];
}

export interface EmbedDeps {
  readonly embedder: Embedder;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const HARMLESS = 'hello';

/**
 * All of them in one request. When the embedder refuses that, each by itself: one text that it can't take must not keep
 * the others from being found. Such a one gets no vectors.
 */
export async function embedMemories(
  deps: EmbedDeps,
  memories: readonly SplitMemory[],
): Promise<EmbeddedMemory[]> {
  if (memories.length === 0) return [];
  try {
    return await embedTogether(deps, memories);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    await assertWell(deps, thrown);
    const embedded: EmbeddedMemory[] = [];
    for (const one of memories) embedded.push(await embedOrSkip(deps, one));
    return embedded;
  }
}

async function embedTogether(
  { embedder, signal }: EmbedDeps,
  memories: readonly SplitMemory[],
): Promise<EmbeddedMemory[]> {
  const texts = memories.flatMap(({ pieces }) => pieces);
  const vectors = await embedder.embed(texts, 'document', signal);
  let start = 0;
  return memories.map(({ memory: { id, digest }, pieces }) => {
    const own = vectors.slice(start, start + pieces.length);
    start += pieces.length;
    return { id, digest, vectors: own };
  });
}

async function embedOrSkip(deps: EmbedDeps, one: SplitMemory): Promise<EmbeddedMemory> {
  try {
    const [embedded] = await embedTogether(deps, [one]);
    if (embedded) return embedded;
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const { id } = one.memory;
    deps.logger.warn({ memoryId: id, reason: thrown.message }, 'a memory can not be embedded');
  }
  const { id, digest } = one.memory;
  return { id, digest, vectors: [] };
}

/** An embedder that refuses everything is not configured well, and no text is to blame. */
async function assertWell({ embedder, signal }: EmbedDeps, refusal: RuntimeError): Promise<void> {
  try {
    await embedder.embed([HARMLESS], 'document', signal);
  } catch {
    throw refusal;
  }
}

/** Of the texts, as opposed to any other failure. */
function isRefusal(thrown: unknown): thrown is RuntimeError {
  return (
    thrown instanceof RuntimeError &&
    thrown.code === 'provider_failed' &&
    !thrown.retryable &&
    [400, 413, 422].includes(Number(thrown.details?.['status']))
  );
}
