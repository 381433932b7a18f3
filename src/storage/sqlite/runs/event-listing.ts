import { clampLimit } from '../../../core/clamp-limit.ts';
import { CHAIN_ROOT } from '../../../core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import {
  type EventListing,
  type EventPage,
  MAX_LOOKED_AT,
  unknownPlace,
} from '../../../core/records/event-listing.ts';
import type { Database } from '../driver.ts';
import { allRows, getRow } from '../rows.ts';
import { type EventRow, MAX_PAGE_EVENTS, toEvent } from './event-reads.ts';

interface Bounds {
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
const OF_RUN = { key: 'e.seq', where: 'e.run_no = (SELECT no FROM runs WHERE id = ?1)' };

export function createEventListing(db: Database) {
  const all = prepareListing(db, OF_ALL);
  const one = prepareListing(db, OF_RUN);
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

  return (page: EventPage): EventListing => {
    const ceiling = page.before === undefined ? Number.MAX_SAFE_INTEGER : parsePlace(page.before);
    const { bounds, select } = page.runId === undefined ? all : one;
    const run = page.runId ?? null;
    const { low, high } = getRow<Bounds>(bounds, run) ?? { low: null, high: null };
    if (low === null || high === null) return { events: [], next: undefined };
    const isOfAll = page.runId === undefined;
    const until =
      page.untilMs === undefined || !isOfAll ? high + 1 : findPlace(page.untilMs, { low, high });
    const since =
      page.sinceMs === undefined || !isOfAll ? low : findPlace(page.sinceMs, { low, high });
    const top = Math.min(ceiling, until);
    const bottom = Math.max(since, top - MAX_LOOKED_AT);
    const limit = clampLimit(page.limit, MAX_PAGE_EVENTS);
    const rows = allRows<ListedRow>(
      select,
      ...[run, bottom, top, JSON.stringify(page.types), page.agentId ?? null],
      ...[page.sinceMs ?? null, page.untilMs ?? null, limit],
    );
    const last = rows.length === limit ? rows.at(-1)?.[0] : undefined;
    const next = last ?? (bottom > since ? bottom : undefined);
    return { events: rows.map(toListed), next: next?.toString() };
  };
}

function prepareListing(db: Database, { key, where }: typeof OF_ALL) {
  const select = db.prepare(`
    SELECT ${key}, r.id, r.agent_id,
      coalesce(
        (SELECT p.hash FROM events p WHERE p.run_no = e.run_no AND p.seq = e.seq - 1),
        CASE WHEN e.seq = r.floor_seq + 1 THEN r.floor_hash END),
      e.seq, e.id, e.type, e.at_ms, e.actor, e.payload, e.redactions, e.hash
    FROM events e JOIN runs r ON r.no = e.run_no
    WHERE ${where} AND ${key} >= ?2 AND ${key} < ?3
      AND e.type IN (SELECT value FROM json_each(?4))
      AND (?5 IS NULL OR r.agent_id = ?5)
      AND (?6 IS NULL OR e.at_ms >= ?6) AND (?7 IS NULL OR e.at_ms < ?7)
    ORDER BY ${key} DESC LIMIT (?8 + 0)`);
  select.setReturnArrays(true);
  const bounds = db.prepare(`
    SELECT (SELECT ${key} FROM events e WHERE ${where} ORDER BY ${key} LIMIT 1) AS low,
      (SELECT ${key} FROM events e WHERE ${where} ORDER BY ${key} DESC LIMIT 1) AS high`);
  return { select, bounds };
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
