import { type GlobNode, type GlobNodes, parseGlob, type Reads } from './parse-glob.ts';

export interface Glob {
  matches(path: string): boolean;
  /** Whether a path inside this directory could match. */
  canMatchInside(directory: string): boolean;
}

interface State {
  /** Undefined for a fork, which reads nothing and goes on to all of `next` at once. */
  readonly reads: Reads | undefined;
  readonly next: readonly number[];
}

const ACCEPT = 0;
const readsName: Reads = (char) => char !== '/';
const readsAll: Reads = () => true;
const readsSlash: Reads = (char) => char === '/';

/**
 * A pattern as a machine that reads a path once and is in all its possible states at the same time. The work is at
 * most the length of the path times that of the pattern: no pattern makes it run away, as regular expressions can.
 */
export function createGlob(pattern: string): Glob {
  const states: State[] = [{ reads: undefined, next: [] }];
  const start = compile(parseGlob(pattern), ACCEPT, states);
  return {
    matches: (path) => read(states, start, path).has(ACCEPT),
    canMatchInside: (directory) => {
      const reached = read(states, start, `${directory}/`);
      return reached.size > (reached.has(ACCEPT) ? 1 : 0);
    },
  };
}

/** Built from the end: each node knows where to go on. Returns the first state. */
function compile(nodes: GlobNodes, next: number, states: State[]): number {
  return nodes.reduceRight((after, node) => compileNode(node, after, states), next);
}

function compileNode(node: GlobNode, next: number, states: State[]): number {
  const add = (reads: Reads | undefined, ...to: number[]) => states.push({ reads, next: to }) - 1;
  /** One or more characters, then `after`. */
  const addMany = (reads: Reads, after: number) => {
    const first = states.length;
    add(reads, first + 1);
    add(undefined, first, after);
    return first;
  };
  switch (node.kind) {
    case 'one':
      return add(node.reads, next);
    case 'star':
      return add(undefined, next, addMany(readsName, next));
    case 'directories':
      return add(undefined, next, addMany(readsAll, add(readsSlash, next)));
    case 'rest':
      return addMany(readsAll, next);
    case 'choice':
      return add(undefined, ...node.options.map((option) => compile(option, next, states)));
  }
}

/** The states after the last character: those that read on, and ACCEPT when the path may end here. */
function read(states: readonly State[], start: number, path: string): ReadonlySet<number> {
  let current = settle(states, [start]);
  for (const char of path) {
    const reached: number[] = [];
    for (const index of current) {
      const state = states[index];
      if (state?.reads?.(char)) reached.push(...state.next);
    }
    if (reached.length === 0) return new Set();
    current = settle(states, reached);
  }
  return current;
}

/** Follows forks to the states that read. */
function settle(states: readonly State[], from: number[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const settled = new Set<number>();
  for (let index = from.pop(); index !== undefined; index = from.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const state = states[index];
    if (index === ACCEPT || state?.reads !== undefined) settled.add(index);
    else from.push(...(state?.next ?? []));
  }
  return settled;
}
