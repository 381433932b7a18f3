import { clampLimit } from '../../../core/clamp-limit.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import {
  type EventListing,
  type EventPage,
  MAX_LOOKED_AT,
  unknownPlace,
} from '../../../core/records/event-listing.ts';
import type { Database, Statement } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { type EventRow, MAX_PAGE_EVENTS, toEvent } from './event-reads.ts';
import { createLogParts, type LogPart, newestPartOf, partOf, runOf } from './log-parts.ts';

interface Bounds {
  /** Of the run, where it is one. */
  readonly no?: number;
  readonly low: number | null;
  readonly high: number | null;
}

type ListedRow = readonly [
  place: number,
  runId: RunId,
  agentId: AgentId,
  prevHash: string | null,
  ...event: EventRow,
];

/** Rows are only ever added behind the others, so that their own order is that of time and costs no index. */
const OF_ALL = { key: 'e.rowid', where: '?1 IS NULL' };
const OF_PART = { key: 'e.seq', where: 'e.part_no = ?1' };

/** What one page looks through, from its top down, and what it looks for. */
interface Look {
  readonly bottom: number;
  readonly top: number;
  readonly wanted: readonly (string | number | null)[];
  readonly limit: number;
}

export function createEventListing(db: Database) {
  const ofAll = prepareListing(db, OF_ALL);
  const ofPart = prepareListing(db, OF_PART);
  const parts = createLogParts(db);
  // Asked for in one, both would be looked for among all rows.
  const allBounds = db.prepare(`
    SELECT (SELECT min(rowid) FROM events) AS low, (SELECT max(rowid) FROM events) AS high`);
  const runBounds = db.prepare(`
    SELECT no, floor_seq + 1 AS low,
      (SELECT max(seq) FROM events WHERE part_no = ${newestPartOf('runs.no')}) AS high
    FROM runs WHERE id = ?`);
  const selectTime = db.prepare(
    'SELECT rowid AS place, at_ms FROM events WHERE rowid >= ? ORDER BY rowid LIMIT 1',
  );

  /** The first place at or behind a time; times go up with the places. */
  function findPlace(atMs: number, { low, high }: { low: number; high: number }): number {
    let [from, to] = [low, high + 1];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const row = getRow<{ place: number; at_ms: number }>(selectTime, middle);
      if (row === undefined || row.at_ms >= atMs) to = middle;
      else from = row.place + 1;
    }
    return to;
  }

  function list(select: Statement, part: number | null, look: Look): ListedRow[] {
    const { bottom, top, wanted, limit } = look;
    return allRows<ListedRow>(select, part, bottom, top, ...wanted, limit);
  }

  function listRun(runNo: number, look: Look): ListedRow[] {
    const rows: ListedRow[] = [];
    let part: LogPart | undefined = parts.at(runNo, look.top - 1);
    while (part && rows.length < look.limit) {
      rows.push(...list(ofPart, part.no, { ...look, limit: look.limit - rows.length }));
      part = part.firstSeq > look.bottom ? parts.before(runNo, part) : undefined;
    }
    return rows;
  }

  return (page: EventPage): EventListing => {
    const ceiling = page.before === undefined ? Number.MAX_SAFE_INTEGER : parsePlace(page.before);
    const isOfAll = page.runId === undefined;
    const bounds = isOfAll ? getRow<Bounds>(allBounds) : getRow<Bounds>(runBounds, page.runId);
    const { no, low, high } = bounds ?? { low: null, high: null };
    if (low === null || high === null) return { events: [], next: undefined };
    const until =
      page.untilMs === undefined || !isOfAll ? high + 1 : findPlace(page.untilMs, { low, high });
    const since =
      page.sinceMs === undefined || !isOfAll ? low : findPlace(page.sinceMs, { low, high });
    const top = Math.min(ceiling, until);
    const bottom = Math.max(since, top - MAX_LOOKED_AT);
    const limit = clampLimit(page.limit, MAX_PAGE_EVENTS);
    const times = [page.sinceMs ?? null, page.untilMs ?? null];
    const wanted = [JSON.stringify(page.types), page.agentId ?? null, ...times];
    const look = { bottom, top, wanted, limit };
    const rows = no === undefined ? list(ofAll, null, look) : listRun(no, look);
    const last = rows.length === limit ? rows.at(-1)?.[0] : undefined;
    const next = last ?? (bottom > since ? bottom : undefined);
    return { events: rows.map(toListed), next: next?.toString() };
  };
}

function prepareListing(db: Database, { key, where }: typeof OF_ALL): Statement {
  const select = db.prepare(`
    SELECT ${key}, r.id, r.agent_id,
      coalesce(
        (SELECT p.hash FROM events p WHERE p.part_no = ${partOf('r.no', 'e.seq - 1')} AND p.seq = e.seq - 1),
        CASE WHEN e.seq = r.floor_seq + 1 THEN r.floor_hash END),
      e.seq, e.id, e.type, e.at_ms, e.actor, e.payload, e.redactions, e.hash
    FROM events e JOIN runs r ON r.no = ${runOf('e.part_no')}
    WHERE ${where} AND ${key} >= ?2 AND ${key} < ?3
      AND e.type IN (SELECT value FROM json_each(?4))
      AND (?5 IS NULL OR r.agent_id = ?5)
      AND (?6 IS NULL OR e.at_ms >= ?6) AND (?7 IS NULL OR e.at_ms < ?7)
    ORDER BY ${key} DESC LIMIT (?8 + 0)`);
  select.setReturnArrays(true);
  return select;
}

function parsePlace(text: string): number {
  const place = Number(text);
  if (/^\d{1,15}$/.test(text)) return place;
  throw unknownPlace();
}

function toListed([place, runId, agentId, prevHash, ...row]: ListedRow) {
  const origin = { runId, agentId, prevHash: prevHash ?? CHAIN_ROOT };
  return { place: String(place), event: toEvent(row, origin) };
}
