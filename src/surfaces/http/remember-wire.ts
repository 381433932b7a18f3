import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Wire } from '../../operations/operation.ts';
import type { SurfaceApp } from './surface.ts';

/** Shapes cost a fifth of a start, so they are loaded once a server listens, or for a request that comes sooner. */
export function rememberWire<W extends Wire>(
  app: SurfaceApp,
  operation: { wire(): Promise<W> },
): () => Promise<W> {
  let known: W | undefined;
  const load = async () => {
    known ??= await operation.wire();
    return known;
  };
  app.wires.push(load);
  return load;
}

/** One in each turn of the loop, so that requests come between. A file that can't be read is tried again by who needs it. */
export async function loadWires(loaders: readonly (() => Promise<Wire>)[]): Promise<void> {
  for (const load of loaders) {
    await load().catch(() => {});
    await nextTurn(undefined, { ref: false });
  }
}
