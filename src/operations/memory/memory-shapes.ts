import { z } from 'zod';
import { anyId, integerParam, isoDate, pageCursor, pageLimit } from '../fields.ts';

/** Memories, as `/api` shows and takes them. What a text may hold, the core says. */
const MAX_BATCH = 500;
const MAX_FOUND = 100;
const DEFAULT_FOUND = 10;

const text = z.string();
const given = (description: string) => text.optional().meta({ description });

/** Shapes refuse what is no date; the core, what is out of its range. */
const timestamp = z.iso.datetime({
  offset: true,
  error: 'must be a date and time such as 2026-02-18T00:00:00Z',
});

const knownMetadata = {
  agent_id: text.meta({ description: 'Id, slug or name of the agent.', examples: ['lince'] }),
  project_id: text.meta({ examples: ['proj_001'] }),
  source: text.meta({
    description: 'Trusted are `chat`, `file` and `system`.',
    examples: ['chat'],
  }),
  timestamp: timestamp.optional().meta({ description: 'When it was said; now when absent.' }),
  session_id: given('The conversation it belongs to.'),
  tags: z.array(text).optional(),
};

const metadata = z.looseObject(knownMetadata).meta({
  description: 'Members beside these are kept and returned.',
});

const ingestItem = z.strictObject({
  content: text.meta({ examples: ['OpenClaw websocket endpoint remains on port 18789'] }),
  metadata,
  priority_score: z.number().optional().meta({ description: '0 to 15; 5 when absent.' }),
  key: given("The caller's name for it: the same again is the same memory."),
});

export const ingestBody = ingestItem;
export const ingestBatchBody = z.strictObject({
  items: z.array(ingestItem).min(1).max(MAX_BATCH),
});

export const ingestHeaders = z.object({
  'idempotency-key': given('The same as `key`.'),
});

const memoryId = z.string().meta({ examples: ['mem_01jv8z4q0k6c'] });

export const ingested = z.object({ status: z.literal('queued'), memory_id: memoryId });

export const ingestedBatch = z.object({
  status: z.literal('queued'),
  items: z.array(
    z.object({ memory_id: memoryId, outcome: z.enum(['stored', 'reinforced', 'replayed']) }),
  ),
});

const shownMetadata = z.looseObject({
  agent_id: text,
  project_id: text,
  source: text,
  timestamp: isoDate,
  session_id: text.optional(),
  tags: z.array(text),
});

const shown = {
  id: memoryId,
  content: text,
  priority_score: z.number(),
  access_count: z.number(),
  pinned: z.boolean(),
  trusted: z.boolean().meta({ description: 'False for what strangers wrote.' }),
  metadata: shownMetadata,
};

export const memory = z
  .object({
    ...shown,
    agent_id: text.meta({ description: 'The id of its agent.' }),
    owner: text,
    private: z.boolean().meta({ description: 'Seen by its agent alone.' }),
    pin_reason: text.nullable(),
    created_at: isoDate,
    updated_at: isoDate,
  })
  .meta({ id: 'Memory' });

export const memoryList = z.object({
  memories: z.array(memory),
  next_cursor: z.string().nullable(),
});

export const foundMemories = z.object({
  query: text,
  results: z.array(
    z.object({
      ...shown,
      score: z.number().meta({ description: '0 to 1, falling along the list.' }),
      why: z
        .record(z.string(), z.number())
        .optional()
        .meta({ description: 'Which signals brought it here, and how much each.' }),
    }),
  ),
  degraded: z.boolean().meta({ description: 'By words alone: the embedder did not answer.' }),
});

export const memoryStats = z.object({
  chunks: z.number(),
  embedded: z.number().meta({ description: 'Those that are found by meaning too.' }),
  pending_embeddings: z.number(),
  model: z.string().nullable().meta({ description: 'Null: words alone decide.' }),
  texts_per_second: z.number().nullable().meta({ description: 'While texts are embedded.' }),
  degraded: z.boolean().meta({ description: 'The embedder did not answer.' }),
  embedding_error: z.string().nullable(),
  retry_at: z.string().nullable(),
});

export const memoryParams = z.strictObject({ memory_id: anyId });

const reader = { agent_id: given('The agent that reads: id, slug or name.') };

export const readerHeaders = z.object({
  'x-clawos-agent-id': given('The same as `agent_id`.'),
});

export const readerQuery = z.strictObject(reader);

const wishes = {
  ...reader,
  project_id: given('Only of this project, and what is pinned.'),
  author_id: given('Only what this agent wrote.'),
  session_id: given('Only of this conversation.'),
  source: text.optional(),
  tags: given('Only with all of these, separated by commas.'),
  since: timestamp.optional(),
  until: timestamp.optional(),
};

export const searchQuery = z.strictObject({
  ...wishes,
  q: text,
  limit: integerParam(1, MAX_FOUND).prefault(DEFAULT_FOUND),
  explain: z.enum(['true', 'false']).optional(),
});

export const listQuery = z.strictObject({
  ...wishes,
  pinned: z.enum(['true', 'false']).optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const changeBody = z.strictObject({
  content: text.optional(),
  priority_score: z.number().optional(),
  metadata: z
    .looseObject({
      project_id: text.optional(),
      timestamp: timestamp.optional(),
      session_id: text.nullable().optional(),
      tags: z.array(text).optional(),
    })
    .optional()
    .meta({ description: 'Members that are given are changed; null takes one of your own away.' }),
});

export const pinBody = z.strictObject({
  memory_id: anyId,
  reason: text.meta({ examples: ['critical platform dependency'] }),
  approved: z.boolean().optional().meta({ description: 'As the header.' }),
});

export const unpinBody = z.strictObject({ memory_id: anyId });

export const pinHeaders = readerHeaders.extend({
  'x-clawos-pin-approved': given('`true`: somebody read the untrusted text and wants it pinned.'),
});

export const pinned = z.object({
  memory_id: memoryId,
  priority_score: z.number(),
  pinned: z.boolean(),
});

export const removed = z.object({ memory_id: memoryId, deleted: z.literal(true) });

export type IngestItemShape = z.infer<typeof ingestItem>;
export type MemoryShape = z.infer<typeof memory>;
export type FoundMemoriesShape = z.infer<typeof foundMemories>;
export type MemoryListShape = z.infer<typeof memoryList>;
export type MemoryStatsShape = z.infer<typeof memoryStats>;
export type WishesShape = Omit<z.infer<typeof listQuery>, 'pinned' | 'limit' | 'cursor'>;
export type ChangeShape = z.infer<typeof changeBody>;
