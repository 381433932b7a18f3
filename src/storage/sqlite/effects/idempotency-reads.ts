import { clampLimit } from '../../../core/clamp-limit.ts';
import type {
  IdempotencyRecord,
  RecordPage,
} from '../../../core/reliability/idempotency/idempotency-store.ts';
import {
  IDEMPOTENCY_COLUMNS,
  type IdempotencyRow,
  MAX_PAGE_RECORDS,
  toPageRange,
  toRecord,
} from '../../idempotency-rules.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';

export function createIdempotencyReads(db: Database, nowMs: () => number) {
  const SELECT = `SELECT ${IDEMPOTENCY_COLUMNS} FROM idempotency_records`;
  const select = db.prepare(`${SELECT} WHERE stored_key = ? AND expires_at_ms > ?`);
  const selectPage = db.prepare(`
    ${SELECT} WHERE stored_key > ? AND stored_key < ? AND expires_at_ms > ?
    ORDER BY stored_key LIMIT ?`);

  return {
    find(storedKey: string): IdempotencyRecord | undefined {
      const row = getRow<IdempotencyRow>(select, storedKey, nowMs());
      return row && toRecord(row);
    },

    list(toolId: string, { limit, after = '' }: RecordPage): IdempotencyRecord[] {
      const range = toPageRange(toolId, after);
      const size = clampLimit(limit, MAX_PAGE_RECORDS);
      const rows = allRows<IdempotencyRow>(selectPage, range.after, range.end, nowMs(), size);
      return rows.map(toRecord);
    },
  };
}
