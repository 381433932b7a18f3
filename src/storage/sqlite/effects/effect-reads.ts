import type {
  Effect,
  EffectFilter,
  EffectPage,
  EffectStatus,
} from '../../../core/effects/effect.ts';
import type { RequestId } from '../../../core/ids.ts';
import { MAX_PAGE_EFFECTS } from '../../effect-ledger.ts';
import type { Database } from '../driver.ts';
import { createPagedSelect } from '../paged-select.ts';
import { allRows, getRow } from '../rows.ts';
import { type EffectRow, SELECT_EFFECT, toEffect } from './effect-row.ts';

export function createEffectReads(db: Database) {
  const select = db.prepare(`${SELECT_EFFECT} WHERE effects.id = ?`);
  const selectCounts = db.prepare('SELECT status, effects FROM effect_counts');
  const selectPage = createPagedSelect<EffectRow>(db, {
    noun: 'an effect',
    table: 'effects',
    select: SELECT_EFFECT,
    maxRows: MAX_PAGE_EFFECTS,
  });

  return {
    find(id: RequestId): Effect | undefined {
      const row = getRow<EffectRow>(select, id);
      return row && toEffect(row);
    },

    list({ status, runId, tool, before, limit }: EffectFilter): EffectPage {
      // The index leaves the confirmed ones out, and SQLite takes it only when the query says the same.
      const byStatus =
        status === 'confirmed'
          ? 'effects.status = ?'
          : `effects.status = ? AND effects.status <> 'confirmed'`;
      const { rows, hasMore } = selectPage({
        terms: [
          [byStatus, status],
          ['effects.run_no = (SELECT no FROM runs WHERE id = ?)', runId],
          ['effects.tool = ?', tool === undefined ? undefined : JSON.stringify(tool)],
        ],
        before,
        limit,
      });
      const effects = rows.map(toEffect);
      return { effects, next: hasMore ? effects.at(-1)?.id : undefined };
    },

    countByStatus(): Record<EffectStatus, number> {
      const counts = { intent: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0 };
      for (const row of allRows<{ status: EffectStatus; effects: number }>(selectCounts)) {
        counts[row.status] = row.effects;
      }
      return counts;
    },
  };
}
