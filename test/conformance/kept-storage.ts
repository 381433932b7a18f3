import { afterAll } from 'vitest';
import type { Storage } from '../../src/core/storage.ts';
import type { OpenedStorage, OpenOptions, OpenStorage } from './harness.ts';

/** Where an engine keeps the data of one test after the other. */
export interface DataPlace {
  /** Opens one more storage on the data. */
  open(options: OpenOptions): Promise<Storage>;
  /** Brings the data back to what a fresh, migrated database holds. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

interface Spare {
  readonly place: DataPlace;
  /** The clock of the test that has it. */
  nowMs: OpenOptions['nowMs'];
  /** Storages that the tests before left open. */
  readonly idle: Storage[];
}

/** A test has one storage, and some have one more beside it. */
const MAX_IDLE = 2;

/**
 * Storage for the suites of a file that stays open from one test to the next, on data that is emptied in between:
 * opening it costs far more than most tests do. Whoever asks for `isNew` gets a place that nobody had before.
 */
export function keepStorageOpen(openPlace: () => Promise<DataPlace>): OpenStorage {
  const spares: Spare[] = [];
  afterAll(async () => {
    for (const spare of spares.splice(0)) await discard(spare);
  });

  return async ({ nowMs, isNew = false }) => {
    const found = isNew ? undefined : spares.pop();
    const spare = found ?? { place: await openPlace(), nowMs, idle: [] };
    spare.nowMs = nowMs;
    const lent = await lend(spare);
    return {
      ...lent,
      async close() {
        await lent.close();
        if (isNew) return discard(spare);
        await spare.place.empty();
        spares.push(spare);
      },
    };
  };
}

async function lend(spare: Spare): Promise<OpenedStorage> {
  const inUse: Storage[] = [];

  async function openNext(reuse: boolean): Promise<Storage> {
    const nowMs = () => spare.nowMs();
    const storage = (reuse && spare.idle.pop()) || (await spare.place.open({ nowMs }));
    inUse.push(storage);
    return { ...storage, close: () => closeOne(storage) };
  }

  function closeOne(storage: Storage): Promise<void> {
    const place = inUse.indexOf(storage);
    if (place !== -1) inUse.splice(place, 1);
    return storage.close();
  }

  return {
    storage: await openNext(true),
    openBeside: () => openNext(true),
    async reopen() {
      const newest = inUse.at(-1);
      if (newest) await closeOne(newest);
      return openNext(false);
    },
    async close() {
      for (const storage of inUse.splice(0)) {
        if (spare.idle.length < MAX_IDLE) spare.idle.push(storage);
        else await storage.close();
      }
    },
  };
}

async function discard({ place, idle }: Spare): Promise<void> {
  for (const storage of idle) await storage.close();
  await place.remove();
}
