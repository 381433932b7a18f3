import { expect, test } from 'vitest';
import type { AgentId, FactId, MemoryId } from '../ids.ts';
import { buildGraph, type GraphParts } from './build-graph.ts';
import type { Fact } from './fact.ts';
import type { KnownMemory } from './feed-store.ts';

const LINCE = 'agent_lince' as AgentId;
const NOTHING = { things: [], hasMore: false };

function fact(place: number, relation: string): Fact {
  return {
    id: `fact_${place}` as FactId,
    owner: 'operator',
    projectId: 'p',
    subject: 'a',
    relation,
    object: 'b',
    source: 'user',
    agentId: undefined,
    isPrivate: false,
    validFromMs: 0,
    validToMs: undefined,
    createdAtMs: place,
  };
}

function memory(place: number, tags: readonly string[] = []): KnownMemory {
  const id = `mem_${place}` as MemoryId;
  return { id, agentId: LINCE, content: `memory ${place}`, tags, createdAtMs: place };
}

function parts(given: Partial<GraphParts>): GraphParts {
  return { handoffs: NOTHING, facts: NOTHING, memories: NOTHING, names: new Map(), ...given };
}

test('things that share all their nodes go on with the next page when not all were read', () => {
  const facts = { things: [fact(9, 'is'), fact(8, 'was'), fact(7, 'has')], hasMore: true };

  const graph = buildGraph(parts({ facts }), { maxNodes: 2 });

  expect(graph.edges).toHaveLength(3);
  expect(graph).toMatchObject({ isTruncated: true, next: { facts: 'fact_7' } });
});

test('what was not read of one kind is not overtaken by older things of another', () => {
  const facts = { things: [fact(9, 'is')], hasMore: true };
  const memories = { things: [memory(1)], hasMore: false };

  const graph = buildGraph(parts({ facts, memories }), { maxNodes: 100 });

  expect(graph.nodes.map(({ id }) => id)).toEqual(['entity:a', 'entity:b']);
  expect(graph.next).toEqual({ facts: 'fact_9' });
});

test('a thing with more nodes than a page is passed over, and said to be missing', () => {
  const memories = { things: [memory(2, ['x', 'y', 'z']), memory(1)], hasMore: false };

  const graph = buildGraph(parts({ memories }), { maxNodes: 2 });

  expect(graph.nodes.map(({ id }) => id)).toEqual(['agent:agent_lince', 'memory:mem_1']);
  expect(graph).toMatchObject({ isTruncated: true, next: undefined });
});
