import type { EmbedTexts } from '../../core/completions/embed-texts.ts';
import { answer, operationsWith } from '../../operations/operation.ts';
import { checkText } from './decode-content.ts';
import { invalid, unsupported } from './refuse.ts';

export interface Embedding {
  readonly embedTexts: EmbedTexts;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

const MAX_INPUTS = 2048;

const define = operationsWith(() => import('./embedding-schema.ts'));

export const createEmbeddings = define({
  name: 'embeddings.create',
  method: 'POST',
  path: '/v1/embeddings',
  effect: 'read',
  isRepeatable: true,
  summary: 'Embed texts',
  description: 'With the embedder that memories are found with. Nothing is kept.',
  tags: ['openai'],
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 502, 503],
  wire: ({ embeddingsQuery, embeddingsBody, embeddingList }) => ({
    query: embeddingsQuery,
    body: embeddingsBody,
    answers: { 200: answer('One vector for each text, of unit length.', embeddingList) },
  }),
  async run({ embedTexts, signal }: Embedding, { body }) {
    const { model: name, input, encoding_format: format, dimensions } = body;
    const texts = decodeInput(input);
    const { vectors, model } = await embedTexts({ model: name, texts, signal });
    const length = vectors[0]?.length ?? 0;
    if (typeof dimensions === 'number' && dimensions !== length) {
      throw unsupported('dimensions', `must be ${length}: the model makes no others`);
    }
    const encode = format === 'base64' ? toBase64 : toNumbers;
    return {
      object: 'list' as const,
      data: vectors.map((vector, index) => ({
        object: 'embedding' as const,
        index,
        embedding: encode(vector),
      })),
      model,
      // The embedder does not count them.
      usage: { prompt_tokens: 0, total_tokens: 0 },
    };
  },
});

function decodeInput(input: unknown): string[] {
  const isList = Array.isArray(input);
  const given: readonly unknown[] = isList ? input : [input];
  if (given.length === 0) throw invalid('input', 'must not be empty');
  if (given.length > MAX_INPUTS) throw invalid('input', `must be at most ${MAX_INPUTS} texts`);
  return given.map((text, index) => {
    const field = isList ? `input[${index}]` : 'input';
    if (typeof text === 'number' || Array.isArray(text)) {
      throw unsupported(field, 'is made of tokens: send the text itself');
    }
    if (text === '') throw invalid(field, 'must not be empty');
    return checkText(text, field);
  });
}

function toNumbers(vector: Float32Array): number[] {
  return Array.from(vector);
}

function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
