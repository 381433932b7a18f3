import { z } from 'zod';
import { NODE_TYPES } from '../../core/knowledge/build-graph.ts';
import { FEED_KINDS } from '../../core/knowledge/feed-store.ts';
import {
  anyId,
  integerParam,
  isoDate,
  pageCursor,
  pageLimit,
  projectId,
  storable,
} from '../fields.ts';

/** What was learned, as `/api` shows and takes it. */
const MAX_NAME_CHARS = 200;
const MAX_SUBJECT_CHARS = 200;
const MAX_RELATION_CHARS = 100;
const MAX_OBJECT_CHARS = 2_000;
const MAX_SOURCE_CHARS = 64;
const MAX_FEED = 100;
const DEFAULT_FEED = 20;
const MAX_NODES = 20_000;
const DEFAULT_NODES = 200;

const agentName = storable(MAX_NAME_CHARS).trim().min(1, { error: 'must not be empty' });
const reader = agentName
  .optional()
  .meta({ description: 'The agent that reads: id, slug or name. What it may see is shown.' });

export const readerHeaders = z.object({ 'x-clawos-agent-id': reader });

export const feedQuery = z.strictObject({
  project_id: projectId,
  agent_id: reader,
  limit: integerParam(1, MAX_FEED).prefault(DEFAULT_FEED),
  cursor: pageCursor().optional(),
});

export const feed = z.object({
  project_id: z.string(),
  entries: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(FEED_KINDS),
      agent_id: z.string().nullable().meta({ description: 'Null: a person or a program.' }),
      to_agent_id: z.string().optional().meta({ description: 'The other agent of a hand-off.' }),
      message: z.string(),
      timestamp: isoDate,
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const graphQuery = z.strictObject({
  project_id: projectId,
  agent_id: reader,
  limit: integerParam(1, MAX_NODES)
    .prefault(DEFAULT_NODES)
    .meta({ description: 'The most nodes.' }),
  cursor: pageCursor().optional(),
});

export const graph = z.object({
  project_id: z.string(),
  nodes: z.array(z.object({ id: z.string(), label: z.string(), type: z.enum(NODE_TYPES) })),
  edges: z.array(z.object({ from: z.string(), to: z.string(), relation: z.string() })),
  truncated: z.boolean().meta({
    description:
      'Not everything is on this page: there is another, or a thing has more nodes than `limit`.',
  }),
  next_cursor: z.string().nullable(),
});

const term = (maxChars: number) =>
  storable(maxChars).refine((text) => text.trim() !== '', { error: 'must not be empty' });
const moment = z.iso.datetime({
  offset: true,
  error: 'must be a date and time such as 2026-02-18T00:00:00Z',
});

export const addFactBody = z.strictObject({
  project_id: projectId,
  subject: term(MAX_SUBJECT_CHARS).meta({ examples: ['websocket endpoint'] }),
  relation: term(MAX_RELATION_CHARS).meta({ examples: ['listens on'] }),
  object: term(MAX_OBJECT_CHARS).meta({ examples: ['port 18789'] }),
  source: term(MAX_SOURCE_CHARS).prefault('user'),
  agent_id: agentName.optional().meta({ description: 'Who says so: id, slug or name.' }),
  valid_from: moment.optional().meta({ description: 'Now when left out.' }),
  valid_to: moment.optional().meta({ description: 'Until somebody says otherwise when left out.' }),
  replaces: z
    .boolean()
    .optional()
    .meta({ description: 'What else was so for this subject and relation is so no longer.' }),
});

export const fact = z
  .object({
    fact_id: z.string(),
    project_id: z.string(),
    subject: z.string(),
    relation: z.string(),
    object: z.string(),
    source: z.string(),
    agent_id: z.string().nullable(),
    owner: z.string(),
    private: z.boolean().meta({ description: 'Seen by its agent alone.' }),
    valid_from: isoDate,
    valid_to: isoDate.nullable(),
    created_at: isoDate,
  })
  .meta({ id: 'Fact' });

export const addedFact = z.object({
  fact,
  replaced: z.array(z.string()).meta({ description: 'Facts that hold no longer.' }),
});

export const factList = z.object({ facts: z.array(fact), next_cursor: z.string().nullable() });

export const factParams = z.strictObject({ fact_id: anyId });

export const listFactsQuery = z.strictObject({
  project_id: projectId.optional(),
  agent_id: reader,
  subject: term(MAX_SUBJECT_CHARS).optional(),
  relation: term(MAX_RELATION_CHARS).optional(),
  object: term(MAX_OBJECT_CHARS).optional(),
  q: term(MAX_OBJECT_CHARS)
    .optional()
    .meta({ description: 'In the subject, the relation or the object.' }),
  at: moment.optional().meta({ description: 'What held then; now when left out.' }),
  include_past: z.enum(['true', 'false']).optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const readerQuery = z.strictObject({ agent_id: reader });

export const removedFact = z.object({ fact_id: z.string(), deleted: z.literal(true) });

export type FeedShape = z.infer<typeof feed>;
export type GraphShape = z.infer<typeof graph>;
export type FactShape = z.infer<typeof fact>;
export type FactListShape = z.infer<typeof factList>;
export type AddFactShape = z.infer<typeof addFactBody>;
export type ListFactsShape = z.infer<typeof listFactsQuery>;
