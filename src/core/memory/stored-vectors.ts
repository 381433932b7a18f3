import { clampLimit } from '../clamp-limit.ts';
import type { MemoryId } from '../ids.ts';
import { type Change, patch, put, remove } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import { MEMORIES, MEMORY_HEAD } from './memory-rows.ts';
import { decodeVectors, encodeVectors } from './vector-bytes.ts';
import type { PlaceResult, StoreVectorsResult, VectorStore } from './vector-store.ts';

/** Of one memory by one model. Goes with the text that it is of: a trigger removes it when that changes. */
interface VectorRow {
  readonly model: string;
  readonly memoryId: MemoryId;
  readonly dimensions: number;
  readonly vectors: Uint8Array;
}

/** A model that memories are or were embedded with: how far, and who does it. */
interface EmbedderRow {
  readonly model: string;
  /** All memories up to this revision have been looked at. */
  readonly through: number;
  /** Of its vectors; 0 before the first. */
  readonly dimensions: number;
  readonly owner: string;
  readonly expiresAtMs: number;
}

export const MEMORY_VECTORS = collection<VectorRow>()('memory_vectors', 'model', 'memoryId');
export const MEMORY_EMBEDDERS = collection<EmbedderRow>()('memory_embedders', 'model');

interface WalkedMemory {
  readonly id: MemoryId;
  readonly content: string;
  readonly digest: string;
  readonly revision: number;
  /** There is nothing to do for it. */
  readonly isDone: boolean;
}

export const WALKED_MEMORIES = query<{ model: string; after: number; limit: number }, WalkedMemory>(
  'walked_memories',
);
export const EMBEDDING_COUNTS = query<
  { model: string },
  { memories: number; embedded: number; revision: number; through: number }
>('embedding_counts');

const MAX_PAGE = 1_000;
const MAX_MODELS = 100;
const MAX_REMOVED = 500;
/** A node with another configuration may be about to come back to its model. */
const KEEP_UNUSED_MS = 60 * 60 * 1000;

/** After the name of all memories, wherever both are held: their revisions are counted in one row. */
const PLACES = 'memory_embedders';

const nobody = (model: string): EmbedderRow => ({
  model,
  through: 0,
  dimensions: 0,
  owner: '',
  expiresAtMs: 0,
});

interface Place {
  readonly model: string;
  readonly owner: string;
}

const holdPlace = defineWrite({
  name: 'memory_vectors.hold_place',
  locks: () => [PLACES],
  needs: ({ model }: Place & { leaseMs: number }) => ({ known: find(MEMORY_EMBEDDERS, { model }) }),
  decide({ known }, { model, owner, leaseMs }, nowMs): Decided<PlaceResult> {
    const row = known ?? nobody(model);
    const isFree = row.owner === owner || row.expiresAtMs <= nowMs;
    if (!isFree) return answer({ outcome: 'taken' });
    return {
      value: { outcome: 'held', through: row.through },
      changes: [put(MEMORY_EMBEDDERS, { ...row, owner, expiresAtMs: nowMs + leaseMs })],
    };
  },
});

const releasePlace = defineWrite({
  name: 'memory_vectors.release_place',
  locks: () => [PLACES],
  needs: ({ model }: Place) => ({ known: find(MEMORY_EMBEDDERS, { model }) }),
  decide({ known }, { model, owner }, nowMs) {
    if (known?.owner !== owner) return answer(undefined);
    const expiresAtMs = Math.min(known.expiresAtMs, nowMs);
    return { value: undefined, changes: [patch(MEMORY_EMBEDDERS, { model }, { expiresAtMs })] };
  },
});

interface GivenPage extends Place {
  readonly memories: readonly GivenVectors[];
  readonly dimensions: number;
  readonly through: number;
}

interface GivenVectors {
  readonly id: MemoryId;
  readonly digest: string;
  readonly vectors: Uint8Array;
}

const storeVectors = defineWrite({
  name: 'memory_vectors.store',
  locks: () => ['memories', PLACES],
  needs: ({ model, memories }: GivenPage) => ({
    place: find(MEMORY_EMBEDDERS, { model }),
    head: find(MEMORY_HEAD, { no: 1 }),
    rows: list(MEMORIES, { among: memories.map(({ id }) => id), limit: memories.length }),
  }),
  decide({ place, head, rows }, page): Decided<StoreVectorsResult> {
    const { model, owner, dimensions, through } = page;
    // One whose lease ran out goes on until another has taken the place: what it stores is as good.
    if (place?.owner !== owner) return answer({ outcome: 'lost_place' });
    if (dimensions > 0 && place.dimensions > 0 && dimensions !== place.dimensions)
      return answer({ outcome: 'wrong_dimensions', expected: place.dimensions });
    const digests = new Map(rows.map(({ id, digest }) => [id, digest]));
    // What was changed or removed meanwhile has a later revision, and its turn will come.
    const fresh = page.memories.filter(({ id, digest }) => digests.get(id) === digest);
    let revision = head?.revision ?? 0;
    const changes = fresh.flatMap(({ id, vectors }): Change[] => {
      revision += 1;
      return [
        put(MEMORY_VECTORS, { model, memoryId: id, dimensions, vectors }),
        patch(MEMORIES, { id }, { revision }),
      ];
    });
    if (fresh.length > 0) changes.push(patch(MEMORY_HEAD, { no: 1 }, { revision }));
    const reached = {
      through: Math.max(place.through, through),
      dimensions: dimensions || place.dimensions,
    };
    changes.push(patch(MEMORY_EMBEDDERS, { model }, reached));
    return { value: { outcome: 'stored', count: fresh.length }, changes };
  },
});

const removeUnused = defineWrite({
  name: 'memory_vectors.remove_unused',
  // Vectors also go with their memories.
  locks: () => ['memories', PLACES],
  needs: ({ model }: { model: string }) => ({
    place: find(MEMORY_EMBEDDERS, { model }),
    vectors: list(MEMORY_VECTORS, { of: { model }, limit: MAX_REMOVED }),
  }),
  decide({ place, vectors }, { model }, nowMs): Decided<boolean> {
    if (place && place.expiresAtMs > nowMs - KEEP_UNUSED_MS) return answer(false);
    const gone = vectors.map(({ memoryId }) => remove(MEMORY_VECTORS, { model, memoryId }));
    const isLast = vectors.length < MAX_REMOVED;
    // From the first removal on it has to begin anew, also when the rest is never removed.
    const forgotten = isLast
      ? remove(MEMORY_EMBEDDERS, { model })
      : patch(MEMORY_EMBEDDERS, { model }, { through: 0 });
    return { value: true, changes: [...gone, forgotten] };
  },
});

export const VECTOR_WRITES = { holdPlace, releasePlace, storeVectors, removeUnused };

export function createVectorStore({ load, write }: Tables): VectorStore {
  return {
    holdPlace: (place) => write(holdPlace, place),
    releasePlace: (place) => write(releasePlace, place),

    findPlace: (model) => load(find(MEMORY_EMBEDDERS, { model })),

    async readPage({ model, after, limit }) {
      const rows = await load(
        ask(WALKED_MEMORIES, { model, after, limit: clampLimit(limit, MAX_PAGE) }),
      );
      const unembedded = rows.filter(({ isDone }) => !isDone);
      return {
        unembedded: unembedded.map(({ isDone: _, ...memory }) => memory),
        through: rows.at(-1)?.revision,
      };
    },

    storeVectors({ memories, ...page }) {
      const dimensions = memories.flatMap(({ vectors }) => vectors)[0]?.length ?? 0;
      const given = memories.map(({ id, digest, vectors }) => ({
        ...{ id, digest },
        vectors: encodeVectors(vectors),
      }));
      return write(storeVectors, { ...page, dimensions, memories: given });
    },

    async findVectors(model, ids) {
      if (ids.length === 0) return new Map();
      const limit = clampLimit(ids.length, MAX_PAGE);
      const rows = await load(list(MEMORY_VECTORS, { of: { model }, among: ids, limit }));
      return new Map(
        rows.map((row) => [row.memoryId, decodeVectors(row.vectors, row.dimensions) ?? []]),
      );
    },

    async readProgress(model) {
      const [counts] = await load(ask(EMBEDDING_COUNTS, { model }));
      const { memories = 0, embedded = 0, revision = 0, through = 0 } = counts ?? {};
      return { memories, embedded: Math.min(embedded, memories), isCurrent: through >= revision };
    },

    async removeOthers(model) {
      const rows = await load(list(MEMORY_EMBEDDERS, { limit: MAX_MODELS }));
      for (const other of rows.filter((row) => row.model !== model)) {
        if (await write(removeUnused, { model: other.model })) return true;
      }
      return false;
    },
  };
}
