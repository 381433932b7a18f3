import { clampLimit } from '../../../core/clamp-limit.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { RunId } from '../../../core/ids.ts';
import { RUN_STATUSES, type Run, type RunStatus } from '../../../core/runs/run.ts';
import type {
  RecordPart,
  RecordProgress,
  RunFilter,
  RunPage,
} from '../../../core/runs/run-store.ts';
import { sortOutUnreadable, toRunPage } from '../../../core/runs/unreadable.ts';
import { encodeOwner } from '../../owner-column.ts';
import type { Database, Statement } from '../driver.ts';
import { allRows, type Bindable, getRow } from '../rows.ts';
import { type FindPosition, MAX_PAGE_RUNS, type RunRow, SELECT_RUN, toRun } from './run-row.ts';
import { createSearch } from './run-search.ts';

export function createRunReads(db: Database) {
  const selectRun = db.prepare(`${SELECT_RUN} WHERE runs.id = ?`);
  const selectUnrecorded = db.prepare(`
    ${SELECT_RUN} WHERE runs.ended_at_ms IS NOT NULL AND runs.recorded = 0
      AND (?1 IS NULL OR (runs.audited_seq < runs.final_seq) = (?1 = 'lines'))
    ORDER BY runs.created_at_ms, runs.id LIMIT ?2`);
  const selectCounts = db.prepare('SELECT status, runs FROM run_counts');
  const selectWrittenTo = db.prepare(`
    SELECT id FROM runs WHERE id IN (SELECT value FROM json_each(?)) AND frames > 0`);
  const findPosition = createFindPosition(db);

  return {
    find(id: RunId): Run | undefined {
      const row = getRow<RunRow>(selectRun, id);
      return row && toRun(row);
    },

    list: createList(db, findPosition),
    search: createSearch(db, findPosition),

    listUnrecorded(limit: number, lacking?: RecordPart): RecordProgress[] {
      const size = clampLimit(limit, MAX_PAGE_RUNS);
      const rows = allRows<RunRow>(selectUnrecorded, lacking ?? null, size);
      return sortOutUnreadable(rows, (row) => ({
        run: toRun(row),
        auditedSeq: row.audited_seq,
        bundled: row.bundled === 1,
      })).readable;
    },

    listWrittenTo(runIds: readonly RunId[]): RunId[] {
      const rows = allRows<{ id: RunId }>(selectWrittenTo, JSON.stringify(runIds));
      return rows.map(({ id }) => id);
    },

    countByStatus(): Record<RunStatus, number> {
      const rows = allRows<{ status: RunStatus; runs: number }>(selectCounts);
      const counts = new Map(rows.map(({ status, runs }) => [status, runs]));
      const entries = RUN_STATUSES.map((status) => [status, counts.get(status) ?? 0] as const);
      return Object.fromEntries(entries) as Record<RunStatus, number>;
    },
  };
}

function createFindPosition(db: Database): FindPosition {
  const selectPosition = db.prepare('SELECT created_at_ms FROM runs WHERE id = ?');
  return (cursor) => {
    const position = getRow<{ created_at_ms: number }>(selectPosition, cursor);
    if (!position) throw new RuntimeError('invalid_input', `cursor ${cursor} is not a run`);
    return position.created_at_ms;
  };
}

function createList(db: Database, findPosition: FindPosition) {
  const ORDER = 'ORDER BY runs.created_at_ms DESC, runs.id DESC LIMIT ?';
  const statements = new Map<string, Statement>();

  /** Each combination of filters is prepared once, so that each can use its index. */
  function prepare(terms: readonly string[]): Statement {
    const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
    const statement = statements.get(where) ?? db.prepare(`${SELECT_RUN} ${where} ${ORDER}`);
    statements.set(where, statement);
    return statement;
  }

  return ({ status, agentId, sessionId, projectId, owner, before, limit }: RunFilter): RunPage => {
    const wanted: [string, Bindable | undefined][] = [
      ['runs.status = ?', status],
      ['runs.agent_id = ?', agentId],
      ['runs.session_id = ?', sessionId],
      ['runs.project_id = ?', projectId],
      ['runs.owner = ?', owner === undefined ? undefined : encodeOwner(owner)],
    ];
    const terms: string[] = [];
    const values: Bindable[] = [];
    for (const [term, value] of wanted) {
      if (value === undefined) continue;
      terms.push(term);
      values.push(value);
    }
    if (before !== undefined) {
      terms.push('(runs.created_at_ms, runs.id) < (?, ?)');
      values.push(findPosition(before), before);
    }
    const size = clampLimit(limit, MAX_PAGE_RUNS);
    // One more than asked for tells whether there is a next page.
    return toRunPage(allRows<RunRow>(prepare(terms), ...values, size + 1), size, toRun);
  };
}
