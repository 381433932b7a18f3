import { expect, test } from 'vitest';
import { findNodes, neighboursOf, prepareGraph } from './prepare-graph.ts';

const GIVEN = {
  nodes: [
    { id: 'agent:a', label: 'Lince', type: 'agent' as const },
    { id: 'entity:b', label: 'Port 18789', type: 'entity' as const },
    { id: 'entity:c', label: 'connector', type: 'entity' as const },
    { id: 'tag:d', label: 'network', type: 'tag' as const },
  ],
  edges: [
    { from: 'agent:a', to: 'entity:c', relation: 'knows' },
    { from: 'entity:c', to: 'entity:b', relation: 'listens on' },
    { from: 'entity:c', to: 'entity:c', relation: 'restarts' },
    { from: 'entity:b', to: 'tag:d', relation: 'tagged' },
    { from: 'entity:b', to: 'entity:unknown', relation: 'leads nowhere' },
  ],
};

test('counts the edges of each node, a loop once, and leaves out those that lead nowhere', () => {
  const graph = prepareGraph(GIVEN, new Set());

  expect(graph.edges).toHaveLength(4);
  expect(graph.nodes.map(({ degree }) => degree)).toEqual([1, 2, 3, 1]);
  expect(graph.indexOf.get('tag:d')).toBe(3);
});

test('a node with more edges is larger, and none is without bounds', () => {
  const spokes = Array.from({ length: 5_000 }, (_, at) => `entity:${at}`);
  const { nodes } = prepareGraph(
    {
      nodes: ['hub', ...spokes].map((id) => ({ id, label: id, type: 'entity' as const })),
      edges: spokes.map((to) => ({ from: 'hub', to, relation: 'has' })),
    },
    new Set(),
  );

  expect(nodes[0]?.radius).toBe(16);
  expect(nodes[1]?.radius).toBeLessThan(6);
});

test('hides kinds together with their edges', () => {
  const graph = prepareGraph(GIVEN, new Set(['agent', 'tag'] as const));

  expect(graph.nodes.map(({ label }) => label)).toEqual(['Port 18789', 'connector']);
  expect(graph.edges.map(({ relation }) => relation)).toEqual(['listens on', 'restarts']);
});

test('tells neighbours by name, with the direction', () => {
  const graph = prepareGraph(GIVEN, new Set());

  expect(neighboursOf(graph, 1)).toEqual([
    { at: 2, relation: 'listens on', isOutward: false },
    { at: 3, relation: 'tagged', isOutward: true },
  ]);
  expect(neighboursOf(graph, 99)).toEqual([]);
});

test('finds by a part of the name, the best connected first', () => {
  const graph = prepareGraph(GIVEN, new Set());

  expect(findNodes(graph, ' N').map(({ label }) => label)).toEqual([
    'connector',
    'Lince',
    'network',
  ]);
  expect(findNodes(graph, 'PORT').map(({ label }) => label)).toEqual(['Port 18789']);
});
