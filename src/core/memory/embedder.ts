/** Turns texts into vectors of one length, by one model. Unit length, so that a dot product is a cosine. */
export interface Embedder {
  /** `local/use-lite`, `openai/text-embedding-3-small`: vectors of different models are never compared. */
  readonly model: string;
  /**
   * One vector for each text, in their order. Throws `provider_failed` or `provider_misconfigured`; a vector of another
   * length than the model's first one is a fault of the provider.
   */
  embed(
    texts: readonly string[],
    kind: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}
