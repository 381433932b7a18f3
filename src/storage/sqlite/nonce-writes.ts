import type { UsedNonce } from '../../core/threads/nonce-store.ts';
import { CLOCK_DIFFERENCE_MS, MAX_PURGED_BY_USE } from '../nonce-rules.ts';
import { toJsonText } from './json-text.ts';
import type { WriteContext } from './write-context.ts';

export function createNonceWrites(context: WriteContext) {
  const { db } = context;
  const purge = db.prepare(`
    DELETE FROM nonces WHERE value IN (
      SELECT value FROM nonces WHERE expires_at_ms <= ?
      ORDER BY expires_at_ms LIMIT ${MAX_PURGED_BY_USE}
    )`);
  // One that has expired and is still there is as good as absent.
  const add = db.prepare(`
    INSERT INTO nonces (value, expires_at_ms) VALUES (?1, ?2)
    ON CONFLICT (value) DO UPDATE SET expires_at_ms = excluded.expires_at_ms
    WHERE nonces.expires_at_ms <= ?3`);

  return {
    useNonce({ value, expiresAtMs }: UsedNonce): boolean {
      const goneAtMs = context.nowMs() - CLOCK_DIFFERENCE_MS;
      const isFirst = Number(add.run(toJsonText(value), expiresAtMs, goneAtMs).changes) === 1;
      if (isFirst) purge.run(goneAtMs);
      return isFirst;
    },
  };
}
