import type { WriteContext } from './write-context.ts';

/** More than fits into what is left of a page: a store that may not grow any more is found out. */
const PROBE_CHARS = 16_384;

/**
 * Writes something and takes it back, in one transaction: proof that writing works. Nobody sees it, and nonces, which
 * are stored as JSON, never look like it.
 */
export function createProbe({ db }: WriteContext) {
  const add = db.prepare('INSERT OR REPLACE INTO nonces (value, expires_at_ms) VALUES (?, 0)');
  const remove = db.prepare('DELETE FROM nonces WHERE value = ?');
  const value = 'probe'.padEnd(PROBE_CHARS, '.');

  return (): void => {
    add.run(value);
    remove.run(value);
  };
}
