import { expect, test } from 'vitest';
import type { FactId } from '../ids.ts';
import type { Fact } from './fact.ts';
import { createKnowledge, type KnowledgeDeps } from './knowledge.ts';

function fact(place: number): Fact {
  return {
    id: `fact_${place}` as FactId,
    owner: 'operator',
    projectId: 'p',
    subject: `thing ${place % 7}`,
    relation: `relation ${place}`,
    object: `thing ${(place + 1) % 7}`,
    source: 'user',
    agentId: undefined,
    isPrivate: false,
    validFromMs: 0,
    validToMs: undefined,
    createdAtMs: place,
  };
}

test('a page that has room for everything is the last one, however many facts share its nodes', async () => {
  const facts = Array.from({ length: 25 }, (_, index) => fact(25 - index));
  const none = async () => [];
  const knowledge = createKnowledge({
    viewers: { see: async () => ({ owner: 'operator', readerId: undefined, isOwnOnly: false }) },
    facts: { list: async ({ limit }: { limit: number }) => facts.slice(0, limit) },
    feed: { listMemories: none },
    handoffs: { list: none },
    agents: { list: none },
    clock: { nowMs: () => 0 },
  } as unknown as KnowledgeDeps);

  const graph = await knowledge.graph({ owner: 'operator', projectId: 'p', maxNodes: 20 });

  expect([graph.nodes.length, graph.edges.length]).toEqual([7, 25]);
  expect(graph).toMatchObject({ isTruncated: false, next: undefined });
});
