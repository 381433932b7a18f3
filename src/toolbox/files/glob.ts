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
  const start = settle(states, [compile(parseGlob(pattern), ACCEPT, states)]);
  const read = createReader(states);
  return {
    matches: (path) => read(start, path).includes(ACCEPT),
    canMatchInside: (directory) => read(start, `${directory}/`).some((state) => state !== ACCEPT),
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

type Read = (start: readonly number[], path: string) => readonly number[];

/** Gives the states after the last character: those that read on, and ACCEPT when the path may end here. */
function createReader(states: readonly State[]): Read {
  const following = states.map(({ next }) => settle(states, next));
  // Which character reached a state last; cheaper by an order of magnitude than a set for each character.
  const reachedAt = new Uint32Array(states.length);
  let now = 0;

  function advance(current: readonly number[], char: string): number[] {
    const reached: number[] = [];
    now += 1;
    for (const index of current) {
      if (states[index]?.reads?.(char) !== true) continue;
      for (const target of following[index] ?? []) {
        if (reachedAt[target] === now) continue;
        reachedAt[target] = now;
        reached.push(target);
      }
    }
    return reached;
  }

  return (start, path) => {
    // Counting up for ever would end in a repeated number.
    reachedAt.fill(0);
    now = 0;
    let current = start;
    for (const char of path) {
      current = advance(current, char);
      if (current.length === 0) break;
    }
    return current;
  };
}

/** Follows forks to the states that read, and to ACCEPT. */
function settle(states: readonly State[], from: readonly number[]): readonly number[] {
  const pending = [...from];
  const seen = new Set<number>();
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    if (states[index]?.reads === undefined) pending.push(...(states[index]?.next ?? []));
  }
  return [...seen].filter((index) => index === ACCEPT || states[index]?.reads !== undefined);
}
