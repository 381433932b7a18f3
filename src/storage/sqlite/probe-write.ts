import type { WriteContext } from './write-context.ts';

/** More than fits into what is left of a page: a store that may not grow any more is found out. */
const PROBE_CHARS = 16_384;

/**
 * Writes something and takes it back, in one transaction: proof that writing works. Nobody sees it, and nonces, which
 * are stored as digests, never look like it.
 */
export function createProbe({ db }: WriteContext) {
  const add = db.prepare('INSERT OR REPLACE INTO nonces (key, expires_at_ms) VALUES (?, 0)');
  const remove = db.prepare('DELETE FROM nonces WHERE key = ?');
  const key = 'probe'.padEnd(PROBE_CHARS, '.');

  return (): void => {
    add.run(key);
    remove.run(key);
  };
}
