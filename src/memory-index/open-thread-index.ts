import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { RuntimeError } from '../core/errors.ts';
import type { IndexChange, MemoryIndex, RankedMemory } from '../core/memory/memory-index.ts';
import { findPackageRoot } from '../platform/package-root.ts';
import {
  copyVectors,
  encodeChange,
  type FromIndex,
  type IndexAnswer,
  type IndexRequest,
} from './index-protocol.ts';

/** A message at a time: searches get their turn in between, and no message is large. */
const MAX_CHANGES = 500;

interface Waiting {
  readonly resolve: (answer: IndexAnswer) => void;
  readonly reject: (error: RuntimeError) => void;
}

/**
 * An index in a thread of its own, so that reading texts and comparing vectors never hold up the event loop. When the
 * thread ends, whatever waits is refused and so is all that comes later: whoever keeps it opens another and fills it.
 */
export function openThreadIndex(): MemoryIndex {
  // It needs nothing of ours: no environment with its secrets, no loaders.
  const thread = new Worker(findEntry(), { name: 'memory-index', env: {}, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let lastNumber = 0;
  let ended: RuntimeError | undefined;

  thread.unref();
  thread.on('message', receive);
  thread.on('error', (error) => end(error));
  thread.on('exit', () => end());

  function receive(message: FromIndex): void {
    const asked = waiting.get(message.number);
    waiting.delete(message.number);
    if (waiting.size === 0) thread.unref();
    if ('fault' in message) asked?.reject(new RuntimeError('internal', message.fault));
    else asked?.resolve(message.answer);
  }

  function end(cause?: unknown): void {
    ended ??= new RuntimeError('storage_unavailable', 'the index of memories ended', { cause });
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  }

  function ask(request: IndexRequest, buffers: readonly ArrayBuffer[] = []): Promise<IndexAnswer> {
    if (ended) return Promise.reject(ended);
    lastNumber += 1;
    const number = lastNumber;
    return new Promise<IndexAnswer>((resolve, reject) => {
      waiting.set(number, { resolve, reject });
      // Only what is unanswered keeps the process alive.
      thread.ref();
      thread.postMessage({ number, request }, [...buffers]);
    });
  }

  async function apply(changes: readonly IndexChange[]): Promise<void> {
    for (let start = 0; start < changes.length; start += MAX_CHANGES) {
      const buffers: ArrayBuffer[] = [];
      const part = changes.slice(start, start + MAX_CHANGES);
      await ask(
        { kind: 'apply', changes: part.map((change) => encodeChange(change, buffers)) },
        buffers,
      );
    }
  }

  return {
    apply,
    prepare: async ({ text, filter }) =>
      (await ask({ kind: 'prepare', query: { text, filter } })) as readonly string[],
    search: async (query) => {
      const vectors = copyVectors(query.vectors);
      return (await ask({
        kind: 'search',
        query: { ...query, vectors },
      })) as readonly RankedMemory[];
    },
    async close() {
      end();
      await thread.terminate();
    },
  };
}

/** Threads run JavaScript, so sources and bundles alike start the built file. */
function findEntry(): string {
  const entry = join(findPackageRoot(), 'dist', 'memory-index.cjs');
  if (existsSync(entry)) return entry;
  throw new RuntimeError('internal', `${entry} is missing: run \`npm run build\``);
}
