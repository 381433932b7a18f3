import { clampLimit } from '../../../core/clamp-limit.ts';
import type {
  Cut,
  EventRetention,
  PrunableFilter,
  PrunableRun,
} from '../../../core/events/retention.ts';
import type { RunId } from '../../../core/ids.ts';
import { clockSql, MAX_PAGE_RUNS } from '../statement.ts';
import type { StoreDeps } from '../store-deps.ts';
import type { RecentEvents } from './recent-events.ts';

const LIST = `select id, floor_seq, last_seq from runs where kept_events > 1`;
const LIST_OLD = `${LIST} and ended_at_ms <= ${clockSql('$1')} - $2::bigint order by ended_at_ms limit $3`;
const LIST_LONG =
  `${LIST} and kept_events > $4 and ended_at_ms <= ${clockSql('$1')} - $2::bigint ` +
  `order by kept_events desc limit $3`;

// Rows are locked in id order, as batches do; what somebody else holds is left to the next sweep. The hash of the last
// event that goes stays behind: the chain is checked from there on.
const PRUNE = `
  with wanted as materialized (
    select r.id, r.floor_seq, least(c.through, r.last_seq - 1) as through
    from runs r
    join (
      select run_id, max(through) as through
      from unnest($1::text[], $2::bigint[]) as u(run_id, through) group by run_id
    ) c on r.id = c.run_id
    where r.recorded and r.ended_at_ms is not null
    order by r.id for update of r skip locked
  ), cut as materialized (
    select w.id, e.seq, e.hash
    from wanted w cross join lateral (
      select seq, hash from events where run_id = w.id and seq <= w.through order by seq desc limit 1
    ) e
    where e.seq > w.floor_seq
  ), moved as (
    update runs r set floor_seq = cut.seq, floor_hash = cut.hash from cut where r.id = cut.id
  ), gone as (
    delete from events e using cut where e.run_id = cut.id and e.seq <= cut.seq returning 1
  )
  select count(*) as events from gone`;

interface StoredPrunable {
  readonly id: string;
  readonly floor_seq: number;
  readonly last_seq: number;
}

export function createEventRetention(
  { database, nowMs }: StoreDeps,
  recent: Pick<RecentEvents, 'forget'>,
): EventRetention {
  return {
    async listPrunable(filter: PrunableFilter): Promise<PrunableRun[]> {
      const { keepEvents, endedForMs } = filter;
      const limit = clampLimit(filter.limit, MAX_PAGE_RUNS);
      const values = [nowMs?.() ?? null, endedForMs, limit];
      const stored = await database.read<StoredPrunable>(
        keepEvents <= 1
          ? { name: 'list_old_logs', text: LIST_OLD, values }
          : { name: 'list_long_logs', text: LIST_LONG, values: [...values, keepEvents] },
      );
      return stored.map((row) => ({
        runId: row.id as RunId,
        floor: row.floor_seq,
        lastSeq: row.last_seq,
      }));
    },

    async prune(cuts: readonly Cut[]): Promise<number> {
      if (cuts.length === 0) return 0;
      const values = [cuts.map(({ runId }) => runId), cuts.map(({ through }) => through)];
      // Repeated after a lost connection it finds the events gone, and only counts too few.
      const [row] = await database.write<{ events: number }>({
        name: 'prune_events',
        text: PRUNE,
        values,
      });
      for (const { runId } of cuts) recent.forget(runId);
      return row?.events ?? 0;
    },
  };
}
