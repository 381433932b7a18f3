import type { FactReader, Facts } from '../../core/knowledge/facts.ts';
import type { Knowledge } from '../../core/knowledge/knowledge.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import {
  decodeFactQuery,
  decodeFeedCursor,
  decodeGraphCursor,
  decodeNewFact,
  decodeOnlooker,
  encodeFact,
  encodeFactPage,
  encodeFeed,
  encodeGraph,
} from './knowledge-codec.ts';

/** For those who only look. */
export interface KnowledgeReading {
  readonly knowledge: Knowledge;
  readonly facts: FactReader;
}

export interface KnowledgeWriting extends KnowledgeReading {
  readonly facts: Facts;
}

const define = operationsWith(() => import('./knowledge-shapes.ts'));

const TAGS = ['knowledge'];
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const READER = 'x-clawos-agent-id';
const FACTS = '/api/knowledge/facts';

export const readFeed = define({
  name: 'knowledge.feed',
  method: 'GET',
  path: '/api/knowledge/feed',
  effect: 'read',
  summary: 'What was learned and done in a project',
  description:
    'Hand-offs and what came of them, facts, memories of priority 7 and more, and runs that ended; newest first. ' +
    'Pages by cursor. What an agent keeps to itself is shown to that agent alone.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ feedQuery, readerHeaders, feed }) => ({
    query: feedQuery,
    headers: readerHeaders,
    answers: { 200: answer('One page of the feed.', feed) },
  }),
  async run({ knowledge }: KnowledgeReading, { query, headers }) {
    const { project_id: projectId, agent_id: reader, limit, cursor } = query;
    const page = await knowledge.feed({
      ...decodeOnlooker(reader, headers[READER]),
      ...{ projectId, limit },
      ...(cursor === undefined ? {} : { before: decodeFeedCursor(cursor) }),
    });
    return encodeFeed(projectId, page);
  },
});

export const readGraph = define({
  name: 'knowledge.graph',
  method: 'GET',
  path: '/api/knowledge/graph',
  effect: 'read',
  summary: 'How it hangs together',
  description:
    'Agents, hand-offs, facts that hold now, memories and their tags, the newest first to find room. No edge leads to a ' +
    'node that is left out. Pages by cursor; a node that more than one page needs is on each of them.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ graphQuery, readerHeaders, graph }) => ({
    query: graphQuery,
    headers: readerHeaders,
    answers: { 200: answer('Nodes and edges.', graph) },
  }),
  async run({ knowledge }: KnowledgeReading, { query, headers }) {
    const { project_id: projectId, agent_id: reader, limit: maxNodes, cursor } = query;
    const graph = await knowledge.graph({
      ...decodeOnlooker(reader, headers[READER]),
      ...{ projectId, maxNodes },
      ...(cursor !== undefined && { after: decodeGraphCursor(cursor) }),
    });
    return encodeGraph(projectId, graph);
  },
});

export const addFact = define({
  name: 'knowledge.facts.add',
  method: 'POST',
  path: FACTS,
  effect: 'write',
  // A fact that is known is answered with what is known.
  isRepeatable: true,
  summary: 'Put a fact on record',
  description:
    'Subject, relation and object, with no model. A fact that holds already is 200; `replaces` ends what else was so.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 503],
  wire: ({ addFactBody, addedFact }) => ({
    body: addFactBody,
    answers: {
      200: answer('It was known.', addedFact),
      201: answer('It is on record.', addedFact),
    },
  }),
  async run({ facts }: KnowledgeWriting, { body }) {
    const { fact, isNew, replaced } = await facts.add(decodeNewFact(body));
    return new Reply(isNew ? 201 : 200, { fact: encodeFact(fact), replaced: [...replaced] });
  },
});

export const listFacts = define({
  name: 'knowledge.facts.list',
  method: 'GET',
  path: FACTS,
  effect: 'read',
  summary: 'List facts',
  description: 'What holds now, or at another time, newest first. Pages by cursor.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ listFactsQuery, readerHeaders, factList }) => ({
    query: listFactsQuery,
    headers: readerHeaders,
    answers: { 200: answer('One page of facts.', factList) },
  }),
  async run({ facts }: KnowledgeReading, { query, headers }) {
    const onlooker = decodeOnlooker(query.agent_id, headers[READER]);
    return encodeFactPage(await facts.list(decodeFactQuery(query, onlooker)));
  },
});

export const removeFact = define({
  name: 'knowledge.facts.remove',
  method: 'DELETE',
  path: `${FACTS}/:fact_id`,
  effect: 'write',
  summary: 'Delete a fact',
  description: 'As if it had never been said. To end it instead, add another with `replaces`.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ factParams, readerQuery, readerHeaders, removedFact }) => ({
    params: factParams,
    query: readerQuery,
    headers: readerHeaders,
    answers: { 200: answer('It is gone.', removedFact) },
  }),
  async run({ facts }: KnowledgeWriting, { params, query, headers }) {
    const { id } = await facts.remove(
      params.fact_id,
      decodeOnlooker(query.agent_id, headers[READER]),
    );
    return { fact_id: id, deleted: true as const };
  },
});

/** In the order of the documentation. */
export const KNOWLEDGE_OPERATIONS: readonly AnyOperation<KnowledgeWriting>[] = [
  readFeed,
  readGraph,
  addFact,
  listFacts,
  removeFact,
];
