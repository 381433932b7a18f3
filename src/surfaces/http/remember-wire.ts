import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
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

/** By then whoever waited for the start has been answered. */
const LOAD_AFTER_MS = 100;

/**
 * For as long as requests may come. One in each turn of the loop, so that they come between. A file that can't be read
 * is tried again by who needs it.
 */
export async function loadWires(
  loaders: readonly (() => Promise<Wire>)[],
  isServing: () => boolean,
): Promise<void> {
  await delay(LOAD_AFTER_MS, undefined, { ref: false });
  for (const load of loaders) {
    if (!isServing()) return;
    await load().catch(() => {});
    await nextTurn(undefined, { ref: false });
  }
}
