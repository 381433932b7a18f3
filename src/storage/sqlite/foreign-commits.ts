import type { Database } from './driver.ts';

/**
 * Tells whether another connection has committed since the last call. On the only connection of this process that
 * writes, that means another process: SQLite does not count a connection's own commits.
 */
export function createForeignCommitProbe(db: Database): () => boolean {
  const read = db.prepare('PRAGMA data_version');
  const version = () => read.get()?.['data_version'];
  let last = version();
  return () => {
    try {
      const current = version();
      const changed = current !== last;
      last = current;
      return changed;
    } catch {
      // A disk that fails now is reported by the next write; missing a look only costs latency.
      return false;
    }
  };
}
