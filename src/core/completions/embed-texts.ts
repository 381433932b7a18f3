import { RuntimeError } from '../errors.ts';
import type { ConfiguredEmbedder } from '../memory/embedding-pass.ts';
import { modelNotFound } from './find-target.ts';

export interface EmbedRequest {
  /** As it is listed, or its name without the provider. */
  readonly model: string;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

export interface EmbeddedTexts {
  readonly model: string;
  /** In the order of the texts. */
  readonly vectors: readonly Float32Array[];
}

export type EmbedTexts = (request: EmbedRequest) => Promise<EmbeddedTexts>;

/** Given to the embedder at once: whoever else waits for it gets a turn in between. */
const TEXTS_PER_TURN = 64;

/** Vectors of texts, by the embedder that memories are found with. Nothing is kept. */
export function createEmbedTexts(find: () => ConfiguredEmbedder | undefined): EmbedTexts {
  return async ({ model: name, texts, signal }) => {
    const configured = find();
    if (!configured) throw noEmbedder();
    const { model } = configured;
    const isMeant = name === model || name === model.slice(model.indexOf('/') + 1);
    if (!isMeant) throw modelNotFound(name, `texts are embedded with ${model}`);
    const embedder = await configured.open();
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += TEXTS_PER_TURN) {
      const some = texts.slice(start, start + TEXTS_PER_TURN);
      vectors.push(...(await embedder.embed(some, 'document', signal)));
    }
    return { model, vectors };
  };
}

function noEmbedder(): RuntimeError {
  return new RuntimeError(
    'provider_misconfigured',
    'no embedder is configured: set memory.embedding.provider to local, or to a provider of embeddings',
  );
}
