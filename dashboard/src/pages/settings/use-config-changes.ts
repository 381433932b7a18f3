import { useEffect } from 'react';
import { createStore, useStore } from '../../api/store.ts';
import { useDraft } from '../../api/use-draft.ts';
import type { Change, Changes } from './config-paths.ts';

/** Never written down: gone with the page, and not with a look at another one. */
const unkept = createStore<Changes>({});

export interface ConfigChanges {
  readonly changes: Changes;
  /** Undefined: it is to stay as it is. */
  readonly change: (path: string, next: Change | undefined) => void;
  readonly forget: () => void;
}

/** What was changed and is not saved yet survives a reload, but for what may hold a secret. */
export function useConfigChanges(isKept: (path: string) => boolean): ConfigChanges {
  const [draft, setDraft] = useDraft('config', NONE);
  const others = useStore(unkept);
  const kept = readKeptChanges(draft, isKept);
  const clean = Object.keys(kept).length === 0 ? NONE : JSON.stringify(kept);
  useEffect(() => {
    // An earlier version kept everything.
    if (clean !== draft) setDraft(clean);
  }, [clean, draft, setDraft]);
  return {
    changes: { ...kept, ...others },
    change(path, next) {
      if (isKept(path)) setDraft(JSON.stringify(withChange(kept, path, next)));
      else unkept.set(withChange(others, path, next));
    },
    forget() {
      setDraft(NONE);
      unkept.set({});
    },
  };
}

const NONE = '{}';

function readKeptChanges(draft: string, isKept: (path: string) => boolean): Changes {
  const found = Object.entries(JSON.parse(draft) as Changes);
  return Object.fromEntries(
    found.filter(([path, change]) => isKept(path) && Object.hasOwn(change, 'base')),
  );
}

function withChange(changes: Changes, path: string, next: Change | undefined): Changes {
  const { [path]: _old, ...others } = changes;
  return next === undefined ? others : { ...others, [path]: next };
}
