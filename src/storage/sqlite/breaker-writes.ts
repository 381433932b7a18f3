import type { BreakerState } from '../../core/reliability/breaker.ts';
import type { ReplaceResult } from '../../core/reliability/breaker-store.ts';
import { decodeBreaker } from '../breaker-state.ts';
import { encodeOrdered } from '../ordered-text.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export function createReplaceBreaker(context: WriteContext) {
  const select = context.db.prepare('SELECT version, state FROM breakers WHERE key = ?');
  const upsert = context.db.prepare(`
    INSERT INTO breakers (key, version, state) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, state = excluded.state`);

  return (key: string, expectedVersion: number, state: BreakerState): ReplaceResult => {
    const stored = encodeOrdered(key);
    const row = getRow<{ version: number; state: string }>(select, stored);
    if ((row?.version ?? 0) !== expectedVersion) {
      return { outcome: 'stale', record: row && decodeBreaker(key, row.version, row.state) };
    }
    const version = expectedVersion + 1;
    upsert.run(stored, version, JSON.stringify(state));
    return { outcome: 'written', version };
  };
}
