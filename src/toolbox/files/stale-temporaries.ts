import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import type { PinnedDirectory } from './paths/pinned-directory.ts';
import { isTemporaryName } from './temporary-name.ts';

/** No write takes this long, so a temporary file of this age belongs to a process that was killed. */
const STALE_AFTER_MS = 10 * 60_000;
const MAX_NAMES = 10_000;
const MAX_REMOVED = 100;
const MAX_REMEMBERED = 1_000;

export interface StaleTemporaries {
  /** Removes what interrupted writes left in a directory; looks at the same one again only after a while. */
  sweep(directory: PinnedDirectory, realPath: string): Promise<void>;
}

export function createStaleTemporaries(nowMs: () => number): StaleTemporaries {
  const sweptAtMs = new Map<string, number>();

  function isDue(realPath: string): boolean {
    const last = sweptAtMs.get(realPath);
    return last === undefined || nowMs() - last >= STALE_AFTER_MS;
  }

  return {
    async sweep(directory, realPath) {
      if (!isDue(realPath)) return;
      if (sweptAtMs.size >= MAX_REMEMBERED) sweptAtMs.clear();
      sweptAtMs.set(realPath, nowMs());
      try {
        const { entries } = await directory.readEntries(MAX_NAMES);
        const names = entries.map(({ name }) => name).filter(isTemporaryName);
        for (const name of names.slice(0, MAX_REMOVED)) {
          await removeIfStale(directory, name, nowMs() - STALE_AFTER_MS);
        }
      } catch (error) {
        // Litter that can not be removed is no reason to refuse the write that came by.
        if (!(error instanceof RuntimeError) && errnoOf(error) === undefined) throw error;
      }
    },
  };
}

async function removeIfStale(directory: PinnedDirectory, name: string, beforeMs: number) {
  const found = await directory.findEntry(name);
  if (found === undefined || !found.isFile() || Number(found.mtimeMs) > beforeMs) return;
  await directory.unlink(name);
}
