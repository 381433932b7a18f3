import { RuntimeError } from '../../src/core/errors.ts';
import type { Event } from '../../src/core/events/event.ts';
import type { RunId } from '../../src/core/ids.ts';
import type { Storage } from '../../src/core/storage.ts';

export interface FollowWhilePruned {
  readonly run: { readonly id: RunId; readonly log: readonly Event[] };
  readonly seed: number;
  readonly reader: Storage;
  readonly pruner: Storage;
}

export interface Followed {
  readonly events: readonly Event[];
  /** Set when the reader was told that its cursor is stale. */
  readonly staleFloor: number | undefined;
}

/** Of every second seed the log is cut so fast that a reader can hardly keep ahead; else just behind it. */
const MAX_CUT = { behind: 4, ahead: 60 } as const;

/** Reads a log in pages of random size while its beginning is cut off at random places, at random moments. */
export async function followWhilePruned(request: FollowWhilePruned): Promise<Followed> {
  const { run, reader, pruner, seed } = request;
  const random = createRandom(seed);
  const pace = seed % 2 === 0 ? 'behind' : 'ahead';
  const events: Event[] = [];
  let cut: Promise<unknown> = Promise.resolve();
  let isRead = false;
  const cutting = (async () => {
    let through = 0;
    while (!isRead && through < run.log.length) {
      const wanted = through + 1 + random(MAX_CUT[pace]);
      through = pace === 'behind' ? Math.min(wanted, events.length) : wanted;
      cut = pruner.retention.prune([{ runId: run.id, through }]);
      await cut;
    }
  })();
  try {
    while (events.length < run.log.length) {
      if (random(2) === 0) await cut;
      const limit = 1 + random(12);
      events.push(...(await reader.events.read(run.id, { after: events.length, limit })));
    }
    return { events, staleFloor: undefined };
  } catch (thrown) {
    if (!(thrown instanceof RuntimeError) || thrown.code !== 'stale_cursor') throw thrown;
    return { events, staleFloor: Number(thrown.details?.['floor']) };
  } finally {
    isRead = true;
    await cutting;
  }
}

/** Whole numbers below a bound, the same ones for the same seed (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
