/** Between the local embedder and its thread: one batch is under way at a time, so answers need no number. */
export interface EmbeddingThreadData {
  readonly modelFile: string;
}

export interface ToEmbeddingThread {
  readonly texts: readonly string[];
}

export interface FromEmbeddingThread {
  readonly vectors: readonly Float32Array[];
}
