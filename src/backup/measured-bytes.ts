import type { ArchiveHeader } from '../storage/archive/archive-shapes.ts';

/** What files that are replaced while they are packed may grow by: readers refuse what is larger than announced. */
export const GROWTH_BYTES = 64 * 1024 * 1024;

/** How large things were when the backup was begun, for whoever waits for it or has to find room for it. */
export function measuredBytes({ max_bytes: mostBytes }: Pick<ArchiveHeader, 'max_bytes'>): number {
  return Math.max(0, mostBytes - GROWTH_BYTES);
}
