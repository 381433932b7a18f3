import type { Database } from './driver.ts';

/** How often to look for commits of other processes: their news may be this late. */
const POLL_MS = 1_000;

/**
 * Tells whether another connection has committed since the last call. On the only connection of this process that
 * writes, that means another process: SQLite does not count a connection's own commits.
 */
export function createForeignCommitProbe(db: Database): () => boolean {
  const read = db.prepare('PRAGMA data_version');
  const version = () => read.get()?.['data_version'];
  let last = version();
  return () => {
    const current = version();
    const changed = current !== last;
    last = current;
    return changed;
  };
}

/** Calls back when another process has committed. The returned function stops looking. */
export function pollForeignCommits(db: Database, onForeignCommit: () => void): () => void {
  const hasForeignCommit = createForeignCommitProbe(db);
  const timer = setInterval(() => {
    try {
      if (hasForeignCommit()) onForeignCommit();
    } catch {
      // A disk that fails now is reported by the next write; missing a look only costs latency.
    }
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
