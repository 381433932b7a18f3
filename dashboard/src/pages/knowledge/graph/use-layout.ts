import { useEffect, useRef, useState } from 'react';
import type { LayoutGiven, LayoutStep } from './layout.ts';
import type { PreparedGraph } from './prepare-graph.ts';

/** Lays a graph out beside the page and tells where its nodes are while they find their places. */
export function useLayout(
  graph: PreparedGraph,
  onPositions: (positions: Float32Array) => void,
): { readonly isSettling: boolean } {
  const [isSettling, setIsSettling] = useState(true);
  const places = useRef(new Map<string, readonly [number, number]>());
  const latest = useRef(onPositions);
  latest.current = onPositions;
  useEffect(() => {
    setIsSettling(true);
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => {
      keepPlaces(places.current, graph, data.positions);
      latest.current(data.positions);
      if (data.isSettled) setIsSettling(false);
    };
    worker.postMessage(toGiven(graph, places.current));
    return () => worker.terminate();
  }, [graph]);
  return { isSettling };
}

function toGiven(graph: PreparedGraph, places: ReadonlyMap<string, readonly [number, number]>) {
  const { nodes, edges } = graph;
  const given: LayoutGiven = {
    radii: Float32Array.from(nodes, ({ radius }) => radius),
    links: Uint32Array.from(edges.flatMap(({ from, to }) => [from, to])),
    start: Float32Array.from(
      nodes.flatMap(({ id }) => [...(places.get(id) ?? [Number.NaN, Number.NaN])]),
    ),
  };
  return given;
}

/** What is hidden now and shown again later comes back where it was. */
function keepPlaces(
  places: Map<string, readonly [number, number]>,
  { nodes }: PreparedGraph,
  positions: Float32Array,
): void {
  nodes.forEach(({ id }, at) => {
    places.set(id, [positions[2 * at] ?? Number.NaN, positions[2 * at + 1] ?? Number.NaN]);
  });
}
