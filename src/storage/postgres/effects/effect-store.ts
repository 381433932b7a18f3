import type { EffectFilter, EffectStatus, EffectStore } from '../../../core/effects/effect.ts';
import type { RequestId } from '../../../core/ids.ts';
import { effectNotFound, MAX_PAGE_EFFECTS } from '../../effect-ledger.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { readPage } from '../paged-read.ts';
import { clockSql } from '../statement.ts';
import { encodeText } from '../text-codec.ts';
import { writeOnce } from '../write-once.ts';
import { decodeEffect, EFFECT_COLUMNS, type StoredEffect } from './effect-row.ts';

const FIND = `select ${EFFECT_COLUMNS} from effects where id = $1`;
const COUNT = 'select status, count(*) as effects from effects group by status';

// The clock's answer goes in front of the other members of the JSON object.
const RESOLVE = `
  with clock as materialized (select ${clockSql('$4')} as now_ms)
  update effects e set
    status = $2, updated_at_ms = clock.now_ms,
    resolution = '{"atMs":' || clock.now_ms || ',' || substr($3::text, 2)
  from clock where e.id = $1 and e.status = 'unknown'
  returning ${EFFECT_COLUMNS}`;

export function createEffectStore(
  database: Database,
  nowMs: (() => number) | undefined,
): EffectStore {
  async function find(id: RequestId) {
    if (!isStorableId(id)) return undefined;
    const statement = { name: 'find_effect', text: FIND, values: [id] };
    const [stored] = await database.read<StoredEffect>(statement);
    return stored && decodeEffect(stored);
  }

  return {
    find,
    list: (filter) => listEffects(database, filter),

    resolve: async (id, { status, by, note }) => {
      if (!isStorableId(id)) throw effectNotFound(id);
      const resolution = JSON.stringify({ status, by, note });
      const values = [id, status, resolution, nowMs?.() ?? null];
      const statement = { name: 'resolve_effect', text: RESOLVE, values };
      const [resolved] = await writeOnce<StoredEffect>(database, statement);
      if (resolved) return { outcome: 'resolved', effect: decodeEffect(resolved) };
      const effect = await find(id);
      if (!effect) throw effectNotFound(id);
      return { outcome: 'refused', effect };
    },

    countByStatus: async () => {
      const statement = { name: 'count_effects', text: COUNT, values: [] };
      const rows = await database.read<{ status: EffectStatus; effects: number }>(statement);
      const counts = { intent: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0 };
      for (const { status, effects } of rows) counts[status] = effects;
      return counts;
    },
  };
}

async function listEffects(database: Database, filter: EffectFilter) {
  const { status, runId, tool, before, limit } = filter;
  const isConfirmed = status === 'confirmed';
  const { rows, hasMore } = await readPage<StoredEffect>(database, {
    noun: 'an effect',
    table: 'effects',
    columns: EFFECT_COLUMNS,
    maxRows: MAX_PAGE_EFFECTS,
    terms: [
      {
        name: isConfirmed ? 'confirmed' : 'status',
        // The index leaves the confirmed ones out, and is taken only when the query says the same.
        term: (value) =>
          isConfirmed ? `status = ${value}` : `status = ${value} and status <> 'confirmed'`,
        value: status,
      },
      { name: 'run', term: (value) => `run_id = ${value}`, value: runId },
      {
        name: 'tool',
        term: (value) => `tool = ${value}`,
        value: tool === undefined ? undefined : encodeText(tool),
      },
    ],
    before,
    limit,
  });
  const effects = rows.map(decodeEffect);
  return { effects, next: hasMore ? effects.at(-1)?.id : undefined };
}
