import type {
  IndexChange,
  IndexedMemory,
  IndexQuery,
  RankedMemory,
} from '../core/memory/memory-index.ts';

/** Vectors of one memory, one after the other: one buffer to hand over. */
interface PackedVectors {
  readonly dimensions: number;
  readonly values: Float32Array<ArrayBuffer>;
}

export type WireChange =
  | {
      readonly change: 'put';
      readonly memory: Omit<IndexedMemory, 'vectors' | 'extra'>;
      readonly vectors: PackedVectors;
    }
  | { readonly change: 'embed'; readonly id: IndexedMemory['id']; readonly vectors: PackedVectors }
  | { readonly change: 'remove'; readonly id: IndexedMemory['id'] };

export type IndexRequest =
  | { readonly kind: 'apply'; readonly changes: readonly WireChange[] }
  | { readonly kind: 'prepare'; readonly query: Pick<IndexQuery, 'text' | 'filter'> }
  | { readonly kind: 'search'; readonly query: IndexQuery };

export interface ToIndex {
  readonly number: number;
  readonly request: IndexRequest;
}

export type IndexAnswer = readonly string[] | readonly RankedMemory[] | undefined;

export type FromIndex =
  | { readonly number: number; readonly answer: IndexAnswer }
  | { readonly number: number; readonly fault: string };

/** Values that a thread can be given, and the buffers that go with them. */
export function encodeChange(change: IndexChange, buffers: ArrayBuffer[]): WireChange {
  if (change.change === 'remove') return { change: 'remove', id: change.id };
  if (change.change === 'embed') {
    return { change: 'embed', id: change.id, vectors: pack(change.vectors, buffers) };
  }
  const { vectors, extra: _, ...memory } = change.memory;
  return { change: 'put', memory, vectors: pack(vectors, buffers) };
}

export function decodeChange(change: WireChange): IndexChange {
  if (change.change === 'remove') return change;
  const vectors = unpack(change.vectors);
  if (change.change === 'embed') return { change: 'embed', id: change.id, vectors };
  return { change: 'put', memory: { ...change.memory, extra: {}, vectors } };
}

/** A copy: the caller's may be a part of something large, which would travel whole. */
export function copyVectors(
  vectors: readonly Float32Array[] | undefined,
): readonly Float32Array[] | undefined {
  return vectors?.map((vector) => vector.slice());
}

function pack(vectors: readonly Float32Array[], buffers: ArrayBuffer[]): PackedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  // All of one memory come from one model; another length would be a fault of whoever made it.
  const fitting = vectors.filter((vector) => vector.length === dimensions);
  const values = new Float32Array(fitting.length * dimensions);
  fitting.forEach((vector, index) => {
    values.set(vector, index * dimensions);
  });
  if (values.length > 0) buffers.push(values.buffer);
  return { dimensions, values };
}

function unpack({ dimensions, values }: PackedVectors): readonly Float32Array[] {
  if (dimensions === 0) return [];
  return Array.from({ length: values.length / dimensions }, (_, index) =>
    values.subarray(index * dimensions, (index + 1) * dimensions),
  );
}
