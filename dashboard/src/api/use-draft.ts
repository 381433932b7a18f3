import { useCallback, useState } from 'react';
import { keep, readKept } from './kept.ts';

/** Text that is being written: it survives a reload, a sign-in and the end of the server. Not for secrets. */
export function useDraft(name: string, initial = ''): readonly [string, (text: string) => void] {
  const key = `draft.${name}`;
  const [state, setState] = useState({ key, text: readKept(key) ?? initial });
  // Another thing is being written about now.
  const text = state.key === key ? state.text : (readKept(key) ?? initial);
  const write = useCallback(
    (next: string) => {
      setState({ key, text: next });
      keep(key, next === initial ? undefined : next);
    },
    [key, initial],
  );
  return [text, write];
}
