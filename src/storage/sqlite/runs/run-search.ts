import { clampLimit } from '../../../core/clamp-limit.ts';
import type { RunId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import type { RunPage, RunSearch } from '../../../core/runs/run-store.ts';
import { toRunPage } from '../../../core/runs/unreadable.ts';
import { encodeOwner } from '../../owner-column.ts';
import { countCandidates, statusesOf, toSearchPage } from '../../run-search.ts';
import { toLikePattern } from '../../stored-text.ts';
import type { Database, Statement } from '../driver.ts';
import { allRows, type Bindable } from '../rows.ts';
import { type FindPosition, MAX_PAGE_RUNS, type RunRow, SELECT_RUN, toRun } from './run-row.ts';

const NEWEST_FIRST = 'ORDER BY created_at_ms DESC, id DESC LIMIT ?';

interface Candidate {
  readonly no: number;
  readonly id: RunId;
}

type Terms = readonly (readonly [term: string, ...values: Bindable[]])[];

/** First the newest runs that an index finds, by number; then those among them that say what is looked for. */
export function createSearch(db: Database, findPosition: FindPosition) {
  const statements = new Map<string, Statement>();

  /** Each combination of filters is prepared once, on its index. */
  function prepare(sql: string): Statement {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function findCandidates(search: RunSearch, count: number): Candidate[] {
    const looks: string[] = [];
    const values: Bindable[] = [];
    for (const status of statusesOf(search)) {
      const terms = toTerms(search, status, findPosition);
      const where = terms.length === 0 ? '' : `WHERE ${terms.map(([term]) => term).join(' AND ')}`;
      looks.push(`SELECT * FROM (SELECT no, id, created_at_ms FROM runs ${where} ${NEWEST_FIRST})`);
      values.push(...terms.flatMap(([, ...bound]) => bound), count);
    }
    const sql = `SELECT no, id FROM (${looks.join(' UNION ALL ')}) ${NEWEST_FIRST}`;
    return allRows<Candidate>(prepare(sql), ...values, count);
  }

  return (search: RunSearch): RunPage => {
    const size = clampLimit(search.limit, MAX_PAGE_RUNS);
    const count = countCandidates(search, size);
    const candidates = findCandidates(search, count);
    const loose = toLooseTerms(search);
    const where = ['runs.no IN (SELECT value FROM json_each(?))', ...loose.map(([term]) => term)];
    const sql = `
      ${SELECT_RUN} WHERE ${where.join(' AND ')}
      ORDER BY runs.created_at_ms DESC, runs.id DESC LIMIT ?`;
    const numbers = JSON.stringify(candidates.map(({ no }) => no));
    const values = loose.flatMap(([, ...bound]) => bound);
    // One more than asked for tells whether there is a next page.
    const rows = allRows<RunRow>(prepare(sql), numbers, ...values, size + 1);
    return toSearchPage({
      page: toRunPage(rows, size, toRun),
      lastSeen: candidates.length === count ? candidates.at(-1)?.id : undefined,
      text: search.text,
    });
  };
}

/** What an index knows. */
function toTerms(
  search: RunSearch,
  status: RunStatus | undefined,
  findPosition: FindPosition,
): Terms {
  const { owner, before, sinceMs, untilMs } = search;
  const wanted: [term: string, value: Bindable | undefined][] = [
    ['status = ?', status],
    ['agent_id = ?', search.agentId],
    ['session_id = ?', search.sessionId],
    ['project_id = ?', search.projectId],
    ['owner = ?', owner === undefined ? undefined : encodeOwner(owner)],
    ['created_at_ms >= ?', sinceMs],
    ['created_at_ms < ?', untilMs],
  ];
  const terms: [term: string, ...values: Bindable[]][] = [];
  for (const [term, value] of wanted) if (value !== undefined) terms.push([term, value]);
  if (before !== undefined) {
    terms.push(['(created_at_ms, id) < (?, ?)', findPosition(before), before]);
  }
  return terms;
}

function toLooseTerms({ source, text }: RunSearch): Terms {
  const pattern = text === undefined ? undefined : toLikePattern(text);
  return [
    ...(source === undefined ? [] : [['runs.source = ?', source] as const]),
    ...(pattern === undefined
      ? []
      : [["(message LIKE ? ESCAPE '!' OR output LIKE ? ESCAPE '!')", pattern, pattern] as const]),
  ];
}
