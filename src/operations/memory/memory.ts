import { defined } from '../../core/defined.ts';
import type { Memories } from '../../core/memory/memories.ts';
import { OPERATOR } from '../../core/principal.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import {
  decodeChange,
  decodeItem,
  decodeMemoryCursor,
  decodeReader,
  decodeWishes,
  encodeFound,
  encodeMemory,
  encodeMemoryPage,
  encodeStats,
} from './memory-codec.ts';

export interface MemoryReading {
  readonly memories: Pick<Memories, 'search' | 'list' | 'get' | 'stats'>;
}

export interface MemoryWriting {
  readonly memories: Memories;
}

const define = operationsWith(() => import('./memory-shapes.ts'));

const TAGS = ['memory'];
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const WRITE_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const;
const MEMORY = '/api/memory';
const ONE_MEMORY = `${MEMORY}/:memory_id` as const;

export const searchMemory = define({
  name: 'memory.search',
  method: 'GET',
  path: `${MEMORY}/search`,
  effect: 'read',
  summary: 'Search memories',
  description:
    'By words and by meaning. Nobody in particular sees what is shared; `agent_id`, or the header x-clawos-agent-id, gives that agent’s view.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ searchQuery, readerHeaders, foundMemories }) => ({
    query: searchQuery,
    headers: readerHeaders,
    answers: { 200: answer('The best ones first.', foundMemories) },
  }),
  async run({ memories }: MemoryReading, { query, headers }) {
    const { q, limit, explain, ...wishes } = query;
    const reader = headers['x-clawos-agent-id'];
    const found = await memories.search({ text: q, limit, ...decodeWishes(wishes, reader) });
    return encodeFound(q, found, explain === 'true');
  },
});

export const ingestMemory = define({
  name: 'memory.ingest',
  method: 'POST',
  path: `${MEMORY}/ingest`,
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Remember a text',
  description:
    'Durable before the answer, found by its words at once and by its meaning as soon as it is embedded. ' +
    'A text that is known word for word is reinforced; a repeated key answers with the first memory.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ ingestHeaders, ingestBody, ingested }) => ({
    headers: ingestHeaders,
    body: ingestBody,
    answers: { 202: answer('It is stored.', ingested) },
  }),
  async run({ memories }: MemoryWriting, { headers, body }) {
    const key = body.key ?? headers['idempotency-key'];
    const { id } = await memories.ingest({
      ...decodeItem(body, OPERATOR),
      ...defined({ key }),
    });
    return new Reply(202, { status: 'queued' as const, memory_id: id });
  },
});

export const ingestBatch = define({
  name: 'memory.ingest_batch',
  method: 'POST',
  path: `${MEMORY}/ingest/batch`,
  effect: 'write',
  summary: 'Remember several texts',
  description: 'At most 500, all of them or none: a refusal names the item.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ ingestBatchBody, ingestedBatch }) => ({
    body: ingestBatchBody,
    answers: { 202: answer('They are stored.', ingestedBatch) },
  }),
  async run({ memories }: MemoryWriting, { body: { items } }) {
    const ingested = await memories.ingestAll(items.map((item) => decodeItem(item, OPERATOR)));
    return new Reply(202, {
      status: 'queued' as const,
      items: ingested.map(({ id, outcome }) => ({ memory_id: id, outcome })),
    });
  },
});

export const pinMemory = define({
  name: 'memory.pin',
  method: 'POST',
  path: `${MEMORY}/pin`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Pin a memory',
  description: 'It is seen in every project, with the highest priority. Again changes nothing.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ readerQuery, pinHeaders, pinBody, pinned }) => ({
    query: readerQuery,
    headers: pinHeaders,
    body: pinBody,
    answers: { 200: answer('It is pinned.', pinned) },
  }),
  async run({ memories }: MemoryWriting, { query, headers, body }) {
    const isApproved =
      body.approved === true || headers['x-clawos-pin-approved']?.toLowerCase() === 'true';
    const viewer = decodeReader(query, headers['x-clawos-agent-id']);
    const memory = await memories.pin(body.memory_id, viewer, { reason: body.reason, isApproved });
    return { memory_id: memory.id, priority_score: memory.priorityScore, pinned: memory.pinned };
  },
});

export const unpinMemory = define({
  name: 'memory.unpin',
  method: 'POST',
  path: `${MEMORY}/unpin`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Unpin a memory',
  description: 'It gets back the priority it had.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ readerQuery, readerHeaders, unpinBody, pinned }) => ({
    query: readerQuery,
    headers: readerHeaders,
    body: unpinBody,
    answers: { 200: answer('It is not pinned.', pinned) },
  }),
  async run({ memories }: MemoryWriting, { query, headers, body }) {
    const viewer = decodeReader(query, headers['x-clawos-agent-id']);
    const memory = await memories.unpin(body.memory_id, viewer);
    return { memory_id: memory.id, priority_score: memory.priorityScore, pinned: memory.pinned };
  },
});

export const listMemory = define({
  name: 'memory.list',
  method: 'GET',
  path: MEMORY,
  effect: 'read',
  summary: 'List memories',
  description: 'Newest first. Pages by cursor; one may be short although others follow.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ listQuery, readerHeaders, memoryList }) => ({
    query: listQuery,
    headers: readerHeaders,
    answers: { 200: answer('One page of memories.', memoryList) },
  }),
  async run({ memories }: MemoryReading, { query, headers }) {
    const { limit, cursor, pinned, ...wishes } = query;
    const page = await memories.list({
      limit,
      ...(cursor === undefined ? {} : { before: decodeMemoryCursor(cursor) }),
      ...(pinned === undefined ? {} : { isPinned: pinned === 'true' }),
      ...decodeWishes(wishes, headers['x-clawos-agent-id']),
    });
    return encodeMemoryPage(page);
  },
});

export const readStats = define({
  name: 'memory.stats',
  method: 'GET',
  path: `${MEMORY}/stats`,
  effect: 'read',
  summary: 'How many memories there are, and how far they are embedded',
  description: 'Of all owners, agents and projects.',
  tags: TAGS,
  errors: [401, 403, 429, 500, 503],
  wire: ({ memoryStats }) => ({ answers: { 200: answer('The figures.', memoryStats) } }),
  run: async ({ memories }: MemoryReading) => encodeStats(await memories.stats()),
});

export const getMemory = define({
  name: 'memory.get',
  method: 'GET',
  path: ONE_MEMORY,
  effect: 'read',
  summary: 'Read a memory',
  description: 'With all that is known of it.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ memoryParams, readerQuery, readerHeaders, memory }) => ({
    params: memoryParams,
    query: readerQuery,
    headers: readerHeaders,
    answers: { 200: answer('The memory.', memory) },
  }),
  async run({ memories }: MemoryReading, { params, query, headers }) {
    const viewer = decodeReader(query, headers['x-clawos-agent-id']);
    return encodeMemory(await memories.get(params.memory_id, viewer));
  },
});

export const changeMemory = define({
  name: 'memory.change',
  method: 'PATCH',
  path: ONE_MEMORY,
  effect: 'write',
  summary: 'Change a memory',
  description:
    'Fields that are given. Its agent and its source stay: they say where it comes from.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ memoryParams, readerQuery, readerHeaders, changeBody, memory }) => ({
    params: memoryParams,
    query: readerQuery,
    headers: readerHeaders,
    body: changeBody,
    answers: { 200: answer('The memory after the change.', memory) },
  }),
  async run({ memories }: MemoryWriting, { params, query, headers, body }) {
    const viewer = decodeReader(query, headers['x-clawos-agent-id']);
    return encodeMemory(await memories.update(params.memory_id, viewer, decodeChange(body)));
  },
});

export const deleteMemory = define({
  name: 'memory.delete',
  method: 'DELETE',
  path: ONE_MEMORY,
  effect: 'write',
  summary: 'Delete a memory',
  description: 'Its text is gone for good.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ memoryParams, readerQuery, readerHeaders, removed }) => ({
    params: memoryParams,
    query: readerQuery,
    headers: readerHeaders,
    answers: { 200: answer('It is gone.', removed) },
  }),
  async run({ memories }: MemoryWriting, { params, query, headers }) {
    const viewer = decodeReader(query, headers['x-clawos-agent-id']);
    await memories.remove(params.memory_id, viewer);
    return { memory_id: params.memory_id, deleted: true as const };
  },
});

/** In the order of the documentation. */
export const MEMORY_OPERATIONS: readonly AnyOperation<MemoryWriting>[] = [
  searchMemory,
  ingestMemory,
  ingestBatch,
  pinMemory,
  unpinMemory,
  listMemory,
  readStats,
  getMemory,
  changeMemory,
  deleteMemory,
];
