/** Where vectors are bought: one model of one provider. */
export interface EmbeddingService {
  readonly provider: RemoteProvider;
  /** As the provider calls it. */
  readonly modelName: string;
  readonly baseUrl: string;
  /** Asked with every request: one that is stored later counts at once. */
  findKey(): Promise<ServiceKey | undefined>;
}

export type RemoteProvider = 'openai' | 'ollama' | 'google' | 'openai_compatible';

export interface ServiceKey {
  readonly value: string;
  /** Where it was found, for messages. */
  readonly place: string;
}
