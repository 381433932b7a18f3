import { useEffect, useMemo } from 'react';
import { onLiveEvent, onMissed } from '../../../api/live.ts';
import { createPaced } from '../../../api/paced.ts';
import { useStore } from '../../../api/store.ts';
import { type RunFilters, writeFilters } from './run-filters.ts';
import { openRunList, type RunList, type RunListStore } from './run-list-store.ts';
import { findCursor } from './run-rows.ts';

/** The list, kept fresh for as long as it is shown. */
export function useRunList(filters: RunFilters): RunList & Pick<RunListStore, 'load' | 'loadMore'> {
  const key = writeFilters(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters with the same words are the same
  const store = useMemo(() => openRunList(filters), [key]);
  useEffect(() => keepFresh(store), [store]);
  const { load, loadMore } = store;
  return { ...useStore(store), load, loadMore };
}

/** Pages further down that are read again at once. */
const MAX_DEEP = 3;

function keepFresh(store: RunListStore): () => void {
  const changed = new Set<string>();
  const paced = createPaced(async () => {
    const { rows } = store.get();
    const cursors = [...changed].map((id) => (rows === undefined ? null : findCursor(rows, id)));
    changed.clear();
    await store.load(undefined);
    const deep = new Set(cursors.filter((cursor) => typeof cursor === 'string'));
    for (const cursor of [...deep].slice(0, MAX_DEEP)) await store.load(cursor);
  });
  const stopEvents = onLiveEvent(({ event_type: type, run_id: id }) => {
    // The others change nothing that a row shows but its figures, which come with its end.
    if (!type.startsWith('run.') && type !== 'policy.decision') return;
    changed.add(id);
    paced.ask();
  });
  const stopMissed = onMissed(paced.ask);
  void store.load(undefined);
  return () => {
    stopEvents();
    stopMissed();
    paced.stop();
  };
}
