import type { BreakerRecord } from '../../core/reliability/breaker-store.ts';
import { decodeBreaker, MAX_PAGE_BREAKERS } from '../breaker-state.ts';
import { decodeOrdered, encodeOrdered } from '../ordered-text.ts';
import type { Database } from './driver.ts';
import { allRows, getRow } from './rows.ts';

interface BreakerRow {
  readonly key: string;
  readonly version: number;
  readonly state: string;
}

export function createBreakerReads(db: Database) {
  const select = db.prepare('SELECT key, version, state FROM breakers WHERE key = ?');
  const selectPage = db.prepare(
    'SELECT key, version, state FROM breakers WHERE key > ? ORDER BY key LIMIT ?',
  );

  return {
    find(key: string): BreakerRecord | undefined {
      const row = getRow<BreakerRow>(select, encodeOrdered(key));
      return row && toBreaker(row);
    },

    list({ limit, after = '' }: { readonly limit: number; readonly after?: string }) {
      const size = Math.max(0, Math.min(Math.trunc(limit), MAX_PAGE_BREAKERS));
      return allRows<BreakerRow>(selectPage, encodeOrdered(after), size).map(toBreaker);
    },
  };
}

function toBreaker({ key, version, state }: BreakerRow): BreakerRecord {
  return decodeBreaker(decodeOrdered(key), version, state);
}
