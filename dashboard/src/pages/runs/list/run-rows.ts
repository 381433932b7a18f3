import type { RunSummary } from '../../../../../src/operations/runs/run-shapes.ts';

/** One page of the list, as the server has it now. */
interface RunPage {
  /** Undefined: the newest. */
  readonly cursor: string | undefined;
  readonly runs: readonly RunSummary[];
  readonly next: string | null;
}

/** As much of the list as was looked at, newest first. */
export interface RunRows {
  readonly runs: readonly RunSummary[];
  /** Pages by which it came: what is refreshed is one of them. */
  readonly pages: readonly Loaded[];
  /** Where it goes on; null: this is all. */
  readonly next: string | null;
}

interface Loaded {
  readonly cursor: string | undefined;
  /** The last run of the page before; undefined for the newest. */
  readonly after: Place | undefined;
}

type Place = Pick<RunSummary, 'created_at' | 'id'>;

/** More than anybody scrolls through; beyond it filters are the way. */
export const MAX_ROWS = 20_000;

/**
 * Puts a page where it belongs. Within the stretch of the list that it covers it is the truth: what is missing there has
 * gone. What is older or newer stays as it was. Newest runs that do not reach down to what is known begin the list anew:
 * between the two there may be others.
 */
export function mergePage(rows: RunRows | undefined, page: RunPage): RunRows {
  const last = page.runs.at(-1);
  if (rows === undefined || isApart(rows, page)) {
    const pages = [{ cursor: page.cursor, after: undefined }];
    return { runs: page.runs, pages, next: page.next };
  }
  const isNext = page.cursor !== undefined && page.cursor === rows.next;
  const loaded = rows.pages.find(({ cursor }) => cursor === page.cursor);
  const after = isNext ? rows.runs.at(-1) : loaded?.after;
  const above = after === undefined ? [] : rows.runs.filter((run) => !isOlder(run, after));
  // One that found nothing and leads on says nothing about what is known further down.
  const end = last ?? after;
  const further = end === undefined ? rows.runs : rows.runs.filter((run) => isOlder(run, end));
  return {
    // The last page covers everything that is older.
    runs: [...above, ...page.runs, ...(page.next === null ? [] : further)],
    pages: isNext ? [...rows.pages, { cursor: page.cursor, after }] : rows.pages,
    next: isNext || page.next === null ? page.next : rows.next,
  };
}

/** Whether the newest runs have nothing in common with those that are known. */
function isApart({ runs: [newest] }: RunRows, { cursor, runs, next }: RunPage): boolean {
  const last = runs.at(-1);
  if (cursor !== undefined || next === null || last === undefined) return false;
  return newest === undefined || isOlder(newest, last);
}

/** In the order of the list: by when they were created, then by id. */
function isOlder(one: Place, other: Place): boolean {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at;
  return one.id < other.id;
}

/** The cursor of the page that shows a run, undefined for the newest; null when none does. */
export function findCursor(rows: RunRows, runId: string): string | undefined | null {
  const run = rows.runs.find(({ id }) => id === runId);
  if (run === undefined) return null;
  return rows.pages.findLast(({ after }) => after === undefined || isOlder(run, after))?.cursor;
}

/** The runs before and after one, in the order of the list. */
export function findNeighbours(rows: RunRows, runId: string): Neighbours {
  const at = rows.runs.findIndex(({ id }) => id === runId);
  if (at === -1) return { newer: undefined, older: undefined };
  return { newer: rows.runs[at - 1]?.id, older: rows.runs[at + 1]?.id };
}

export interface Neighbours {
  readonly newer: string | undefined;
  readonly older: string | undefined;
}
