import type { Clock } from '../clock.ts';
import type { MemoryId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { MemoryAccess, MemoryStore } from './memory-store.ts';

/** Which memories readers were given. Counted here, and stored behind their backs: no search waits for a write. */
export interface AccessCounter {
  count(ids: readonly MemoryId[]): void;
  /** What is not stored yet. */
  pendingOf(id: MemoryId): number;
  /** Stores what is left. */
  close(): Promise<void>;
}

export interface AccessCounterDeps {
  readonly store: Pick<MemoryStore, 'countAccesses'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const FLUSH_AFTER_MS = 5_000;
/** Then no time is waited for. */
const MAX_WAITING = 500;
/** A store that is away for long costs counts, and no memory. */
const MAX_KEPT = 5_000;

export function createAccessCounter({ store, clock, logger }: AccessCounterDeps): AccessCounter {
  const waiting = new Map<MemoryId, MemoryAccess>();
  let saving: ReadonlyMap<MemoryId, MemoryAccess> = new Map();
  let flushing: Promise<void> | undefined;
  let cancelTimer = () => {};

  function add(access: MemoryAccess): void {
    const known = waiting.get(access.id);
    if (!known && waiting.size >= MAX_KEPT) return;
    const { id, count, atMs } = access;
    waiting.set(id, {
      id,
      count: count + (known?.count ?? 0),
      atMs: Math.max(atMs, known?.atMs ?? 0),
    });
  }

  async function save(): Promise<void> {
    const page = [...waiting.values()].slice(0, MAX_WAITING);
    for (const { id } of page) waiting.delete(id);
    saving = new Map(page.map((access) => [access.id, access]));
    try {
      await store.countAccesses(page);
    } catch (err) {
      logger.warn({ err }, 'accesses of memories were not counted, and are tried again');
      for (const access of page) add(access);
    } finally {
      saving = new Map();
    }
  }

  function flush(): Promise<void> {
    cancelTimer();
    flushing ??= save().finally(() => {
      flushing = undefined;
      if (waiting.size > 0) schedule();
    });
    return flushing;
  }

  function schedule(): void {
    cancelTimer();
    cancelTimer = clock.after(FLUSH_AFTER_MS, () => void flush());
  }

  return {
    count(ids) {
      const isFirst = waiting.size === 0;
      for (const id of ids) add({ id, count: 1, atMs: clock.nowMs() });
      if (waiting.size >= MAX_WAITING) void flush();
      else if (isFirst && waiting.size > 0) schedule();
    },
    pendingOf: (id) => (waiting.get(id)?.count ?? 0) + (saving.get(id)?.count ?? 0),
    async close() {
      await flushing;
      // A store that fails keeps its counts waiting: they are few, and not worth another try now.
      for (let pages = MAX_KEPT / MAX_WAITING; pages > 0 && waiting.size > 0; pages -= 1) {
        const before = waiting.size;
        await flush();
        if (waiting.size >= before) break;
      }
      cancelTimer();
    },
  };
}
