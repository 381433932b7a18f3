import type { MemoryId } from '../ids.ts';

/** A text that a memory consists of for the embedder, and how it was when it was read. */
export interface UnembeddedMemory {
  readonly id: MemoryId;
  readonly content: string;
  /** As it was read: vectors of another text are not stored. */
  readonly digest: string;
  readonly revision: number;
}

/** The next memories in the order of their revisions. */
export interface EmbeddingPage {
  /** Those of the page that have no vectors of the model. */
  readonly unembedded: readonly UnembeddedMemory[];
  /** Revision of the last memory on the page; undefined when there is none. */
  readonly through: number | undefined;
}

export interface EmbeddedMemory {
  readonly id: MemoryId;
  readonly digest: string;
  /** One for each piece of the text. None: the embedder refuses this text, and is not asked again. */
  readonly vectors: readonly Float32Array[];
}

export interface EmbeddedPage {
  readonly model: string;
  /** Who holds the place. */
  readonly owner: string;
  readonly memories: readonly EmbeddedMemory[];
  /** All memories up to this revision have been looked at. */
  readonly through: number;
}

/** `stored`: how many had vectors stored. */
export type StoreVectorsResult =
  | { readonly outcome: 'stored'; readonly count: number }
  /** Another node has the place. */
  | { readonly outcome: 'lost_place' }
  /** The model's vectors had this length before. */
  | { readonly outcome: 'wrong_dimensions'; readonly expected: number };

export type PlaceResult =
  | { readonly outcome: 'held'; readonly through: number }
  | { readonly outcome: 'taken' };

export interface EmbeddingProgress {
  /** Memories that are there. */
  readonly memories: number;
  /** Of those, with vectors of the model. */
  readonly embedded: number;
  /** Whether every change up to now has been looked at. */
  readonly isCurrent: boolean;
}

/** How far a model is. */
export interface EmbeddingPlace {
  /** All memories up to this revision have been looked at. */
  readonly through: number;
  /** Of its vectors; 0 before the first. */
  readonly dimensions: number;
}

/** Vectors of memories, by model. Storing them counts as a change of the memory: whoever follows changes sees it. */
export interface VectorStore {
  /** The place of the one node that embeds with this model; it has to be held again before the lease ends. */
  holdPlace(place: { model: string; owner: string; leaseMs: number }): Promise<PlaceResult>;
  releasePlace(place: { model: string; owner: string }): Promise<void>;
  findPlace(model: string): Promise<EmbeddingPlace | undefined>;
  readPage(page: { model: string; after: number; limit: number }): Promise<EmbeddingPage>;
  storeVectors(page: EmbeddedPage): Promise<StoreVectorsResult>;
  /** Of these memories, as the model sees them; those without vectors are left out. */
  findVectors(model: string, ids: readonly MemoryId[]): Promise<Map<MemoryId, Float32Array[]>>;
  readProgress(model: string): Promise<EmbeddingProgress>;
  /** Removes some vectors of other models that nobody has used for a while; false when there are none. */
  removeOthers(model: string): Promise<boolean>;
}
