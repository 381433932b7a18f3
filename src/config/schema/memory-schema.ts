import { z } from 'zod';
import { baseUrl } from './model-schema.ts';
import { DAY_MS, HOUR_MS, whole } from './schema-bounds.ts';

const embedding = z.strictObject({
  provider: z
    .enum(['local', 'openai', 'ollama', 'google', 'openai_compatible', 'none'])
    .default('local')
    .describe(
      'What turns memories into vectors, so that they are found by meaning. local: a small English model of this package, without a network. none: memories are found by their words alone. Keys are those of providers.',
    ),
  model: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .nullable()
    .default(null)
    .describe(
      'Name of the model at the provider. Null: text-embedding-3-small, nomic-embed-text (Ollama) or gemini-embedding-001 (Google). After a change all memories are embedded anew.',
    ),
  base_url: baseUrl
    .optional()
    .describe('Where the provider is reached. Unset: the base URL in providers.'),
  timeout_ms: whole(100, HOUR_MS)
    .default(30_000)
    .describe('Longest time that one request to a provider may take.'),
  idle_ms: whole(0, DAY_MS)
    .default(60_000)
    .describe('The local model gives its memory back after so long without a text.'),
});

/** Section of the config about what agents remember. */
export const memory = z
  .strictObject({
    recall: z
      .boolean()
      .default(true)
      .describe('Let runs begin with memories that fit what they were asked.'),
    context_chars: whole(0, 100_000)
      .default(4_000)
      .describe("Characters of a run's context that memories may take."),
    max_recalled: whole(0, 50).default(8).describe('Memories that a run begins with at most.'),
    recall_timeout_ms: whole(1, 10_000)
      .default(2_000)
      .describe('Milliseconds that a run waits for its memories; then it begins without.'),
    run_notes: z
      .boolean()
      .default(false)
      .describe('Let every completed run leave a short note of what it was asked and answered.'),
    embedding: embedding.prefault({}),
  })
  .prefault({});
