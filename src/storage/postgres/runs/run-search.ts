import { createHash } from 'node:crypto';
import { clampLimit } from '../../../core/clamp-limit.ts';
import type { RunId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import type { RunPage, RunSearch } from '../../../core/runs/run-store.ts';
import { toRunPage } from '../../../core/runs/unreadable.ts';
import { encodeOwner } from '../../owner-column.ts';
import { countCandidates, statusesOf, toSearchPage } from '../../run-search.ts';
import { toLikePattern } from '../../stored-text.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { MAX_PAGE_RUNS } from '../statement.ts';
import { getCreationTime, readRun } from './run-reads.ts';
import { RUN_COLUMNS, type StoredRun } from './run-row.ts';

const NEWEST_FIRST = 'order by created_at_ms desc, id desc';

type Values = (string | number | readonly string[])[];

/** First the newest runs that an index finds, by id; then those among them that say what is looked for. */
export async function searchRuns(database: Database, search: RunSearch): Promise<RunPage> {
  const size = clampLimit(search.limit, MAX_PAGE_RUNS);
  const count = countCandidates(search, size);
  const candidates = await findCandidates(database, search, count);
  if (candidates.length === 0) return { runs: [], next: undefined };
  const { source, text } = search;
  const values: Values = [candidates, size + 1];
  const terms = ['id = any($1::text[])'];
  if (source !== undefined) terms.push(`source = $${values.push(source)}`);
  if (text !== undefined) {
    const pattern = `$${values.push(toLikePattern(text))}`;
    terms.push(`(message ilike ${pattern} escape '!' or output ilike ${pattern} escape '!')`);
  }
  const sql = `select ${RUN_COLUMNS} from runs where ${terms.join(' and ')} ${NEWEST_FIRST} limit $2`;
  const stored = await database.read<StoredRun>({ name: nameOf(sql), text: sql, values });
  return toSearchPage({
    page: toRunPage(stored, size, readRun),
    lastSeen: candidates.length === count ? candidates.at(-1) : undefined,
    text,
  });
}

async function findCandidates(
  database: Database,
  search: RunSearch,
  count: number,
): Promise<RunId[]> {
  const { before } = search;
  const place =
    before === undefined
      ? undefined
      : { id: before, createdAtMs: await getCreationTime(database, before) };
  const values: Values = [count];
  const looks: string[] = [];
  for (const status of statusesOf(search)) {
    const terms: string[] = [];
    for (const [column, comparison, value] of termsOf(search, status)) {
      if (value === undefined) continue;
      if (!isStorableId(String(value))) return [];
      terms.push(`${column} ${comparison} $${values.push(value)}`);
    }
    if (place) {
      terms.push(
        `(created_at_ms, id) < ($${values.push(place.createdAtMs)}, $${values.push(place.id)})`,
      );
    }
    const where = terms.length > 0 ? `where ${terms.join(' and ')}` : '';
    looks.push(`(select id, created_at_ms from runs ${where} ${NEWEST_FIRST} limit $1)`);
  }
  const text = `select id from (${looks.join(' union all ')}) found ${NEWEST_FIRST} limit $1`;
  const rows = await database.read<{ id: RunId }>({ name: nameOf(text), text, values });
  return rows.map(({ id }) => id);
}

/** There are some hundred combinations, and a server takes no more than 63 bytes of a name. */
function nameOf(text: string): string {
  return `search_runs_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** What an index knows. */
function termsOf(search: RunSearch, status: RunStatus | undefined) {
  const owner = search.owner === undefined ? undefined : (encodeOwner(search.owner) ?? '');
  return [
    ['status', '=', status],
    ['agent_id', '=', search.agentId],
    ['session_id', '=', search.sessionId],
    ['project_id', '=', search.projectId],
    ['owner', '=', owner],
    ['created_at_ms', '>=', search.sinceMs],
    ['created_at_ms', '<', search.untilMs],
  ] as const;
}
