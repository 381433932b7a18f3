import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';

export interface Shortcut {
  /** `?`, `g h`, `mod+k`: as it is shown. */
  readonly keys: string;
  readonly label: string;
}

/** What can be pressed now, for the page of shortcuts. */
export const shortcuts = createStore<readonly Shortcut[]>([]);

const actions = new Map<Shortcut, () => void>();
const SEQUENCE_MS = 1_000;
let first = { key: '', atMs: 0 };

addEventListener('keydown', (event) => {
  const isTyping = isField(event.target);
  const isModified = event.metaKey || event.ctrlKey;
  if (event.altKey || (isTyping && !isModified) || event.isComposing) return;
  const pressed = isModified ? `mod+${event.key.toLowerCase()}` : event.key;
  const isSecond = Date.now() - first.atMs < SEQUENCE_MS;
  const sequence = isSecond ? `${first.key} ${pressed}` : pressed;
  first = { key: pressed, atMs: Date.now() };
  const found = find(sequence) ?? find(pressed);
  // Behind an open dialog nothing is pressed, but a palette can be closed by what opened it.
  if (found === undefined || (document.querySelector('dialog[open]') && !isModified)) return;
  event.preventDefault();
  first = { key: '', atMs: 0 };
  actions.get(found)?.();
});

/** While the component is shown. The last to come wins. */
export function useShortcut(keys: string, label: string, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const shortcut = { keys, label };
    actions.set(shortcut, () => latest.current());
    shortcuts.set([...shortcuts.get(), shortcut]);
    return () => {
      actions.delete(shortcut);
      shortcuts.set(shortcuts.get().filter((one) => one !== shortcut));
    };
  }, [keys, label]);
}

function find(sequence: string): Shortcut | undefined {
  return shortcuts.get().findLast(({ keys }) => keys === sequence);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}
