import { listRuns } from '../../../../../src/operations/runs/runs.ts';
import { client } from '../../../api/client.ts';
import { createStore, type Store } from '../../../api/store.ts';
import { toInstant } from '../../../kit/format.ts';
import { type RunFilters, writeFilters } from './run-filters.ts';
import { MAX_ROWS, mergePage, type RunRows } from './run-rows.ts';

export interface RunList {
  /** Undefined until the first page is here. */
  readonly rows: RunRows | undefined;
  /** Of the newest request, when it failed: what is shown is older then. */
  readonly error: unknown;
  readonly isLoadingMore: boolean;
  /** Runs that belong here and whose stored rows are damaged. */
  readonly unreadable: ReadonlySet<string>;
}

export interface RunListStore extends Store<RunList> {
  /** Reads a page, or reads it again. Undefined: the newest runs. */
  load(cursor: string | undefined): Promise<void>;
  loadMore(): Promise<void>;
}

/** The newest are asked for again and again; whoever goes further down wants many at once. */
const FIRST_PAGE = 100;
const PAGE = 200;
/** Lists that are kept for whoever comes back to them. */
const MAX_KEPT = 6;
const kept = new Map<string, RunListStore>();

/** The same list for the same filters: whoever comes back from a run finds what was loaded. */
export function openRunList(filters: RunFilters): RunListStore {
  const key = writeFilters(filters);
  const store = kept.get(key) ?? createRunList(filters);
  kept.delete(key);
  kept.set(key, store);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return store;
}

const NOTHING: RunList = {
  rows: undefined,
  error: undefined,
  isLoadingMore: false,
  unreadable: new Set(),
};

/** A search may find nothing for a while: so many pages are asked for before somebody has to. */
const MAX_EMPTY_PAGES = 5;

function createRunList(filters: RunFilters): RunListStore {
  const store = createStore<RunList>(NOTHING);
  const load = async (cursor: string | undefined) => {
    try {
      const query = toQuery(filters, cursor);
      const answer = await client.call(listRuns, { query });
      const { runs, next_cursor: next, unreadable_run_ids: damaged = [] } = answer;
      const rows = mergePage(store.get().rows, { cursor, runs, next });
      const unreadable =
        damaged.length === 0
          ? store.get().unreadable
          : new Set([...store.get().unreadable, ...damaged]);
      store.set({ ...store.get(), rows, unreadable, error: undefined });
    } catch (error) {
      store.set({ ...store.get(), error });
    }
  };
  return {
    ...store,
    load,
    async loadMore() {
      const { rows, isLoadingMore } = store.get();
      if (!rows?.next || isLoadingMore || rows.runs.length >= MAX_ROWS) return;
      store.set({ ...store.get(), isLoadingMore: true });
      for (let pages = 0; pages < MAX_EMPTY_PAGES; pages += 1) {
        const { rows: before } = store.get();
        if (!before?.next) break;
        await load(before.next);
        const { rows: after, error } = store.get();
        if (error !== undefined || after?.runs.length !== before.runs.length) break;
      }
      store.set({ ...store.get(), isLoadingMore: false });
    },
  };
}

function toQuery(filters: RunFilters, cursor: string | undefined) {
  const { status, agent, session, project, source, from, to, text } = filters;
  return {
    limit: cursor === undefined ? FIRST_PAGE : PAGE,
    ...(status === '' ? {} : { status }),
    ...(agent === '' ? {} : { agent_id: agent }),
    ...(session === '' ? {} : { session_id: session }),
    ...(project === '' ? {} : { project_id: project }),
    ...(source === '' ? {} : { source }),
    ...(from === '' ? {} : { from: toInstant(from) }),
    ...(to === '' ? {} : { to: toInstant(to) }),
    ...(text.trim() === '' ? {} : { q: text.trim() }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
