import { useCallback, useState } from 'react';
import { keep, readKept } from '../../api/kept.ts';

export interface KeptForm<T> {
  /** What was typed, over what there was. */
  readonly values: T;
  /** Whether anything was typed that is not saved yet. */
  readonly isChanged: boolean;
  readonly change: (part: Partial<T>) => void;
  /** Saved, or not wanted any more. */
  readonly forget: () => void;
}

/** Fields that are being filled in: they survive a reload, a sign-in and the end of the server. Not for secrets. */
export function useKeptForm<T extends object>(name: string, initial: T): KeptForm<T> {
  const key = `form.${name}`;
  const [state, setState] = useState(() => ({ key, typed: readTyped<T>(key) }));
  // Another thing is being filled in now.
  const typed = state.key === key ? state.typed : readTyped<T>(key);
  const change = useCallback(
    (part: Partial<T>) =>
      setState((before) => {
        const next = { ...(before.key === key ? before.typed : readTyped<T>(key)), ...part };
        keep(key, JSON.stringify(next));
        return { key, typed: next };
      }),
    [key],
  );
  const forget = useCallback(() => {
    keep(key, undefined);
    setState({ key, typed: {} });
  }, [key]);
  return { values: { ...initial, ...typed }, isChanged: differs(typed, initial), change, forget };
}

function readTyped<T>(key: string): Partial<T> {
  try {
    return JSON.parse(readKept(key) ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}

function differs<T extends object>(typed: Partial<T>, initial: T): boolean {
  return Object.entries(typed).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name as keyof T]),
  );
}
