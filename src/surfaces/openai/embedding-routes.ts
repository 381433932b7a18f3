import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { EmbedTexts } from '../../core/completions/embed-texts.ts';
import { anyJson } from '../../operations/fields.ts';
import { answer, BEARER, errorAnswersOf } from '../http/answers.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { checkText } from './decode-content.ts';
import { invalid, unsupported } from './refuse.ts';
import { modelName } from './schema.ts';

const MAX_INPUTS = 2048;

const embeddingsBody = z
  .looseObject({
    model: modelName,
    input: anyJson.meta({ description: `A text, or at most ${MAX_INPUTS} of them.` }),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    dimensions: z.int().min(1).nullish().meta({ description: 'Only what the model has anyway.' }),
  })
  .meta({ examples: [{ model: 'local/use-lite', input: 'a text' }] });

const embeddingList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]).meta({
        description: 'Numbers, or the bytes of 32-bit floats, little-endian, in base64.',
      }),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});

export function addEmbeddingRoute(app: SurfaceApp, embedTexts: EmbedTexts): void {
  app.post(
    '',
    {
      schema: {
        summary: 'Embed texts',
        description: 'With the embedder that memories are found with. Nothing is kept.',
        tags: ['openai'],
        security: BEARER,
        body: embeddingsBody,
        response: {
          200: answer('One vector for each text, of unit length.', embeddingList),
          ...errorAnswersOf(app.errorEnvelope, [400, 401, 403, 404, 413, 415, 429, 500, 502, 503]),
        },
      },
    },
    async ({ body }, reply) => {
      const { model, input, encoding_format: format, dimensions } = body;
      const texts = decodeInput(input);
      const signal = untilGone(reply);
      const { vectors, ...embedded } = await embedTexts({ model, texts, signal });
      const length = vectors[0]?.length ?? 0;
      if (typeof dimensions === 'number' && dimensions !== length) {
        throw unsupported('dimensions', `must be ${length}: the model makes no others`);
      }
      const encode = format === 'base64' ? toBase64 : toNumbers;
      return reply.send({
        object: 'list',
        data: vectors.map((vector, index) => ({
          object: 'embedding',
          index,
          embedding: encode(vector),
        })),
        model: embedded.model,
        // The embedder does not count them.
        usage: { prompt_tokens: 0, total_tokens: 0 },
      });
    },
  );
}

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

function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
