import { describeError } from '../api/describe-error.ts';
import { createStore, useStore } from '../api/store.ts';
import { classNames } from './class-names.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'ok' | 'bad';
}

const shown = createStore<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
const MAX_SHOWN = 4;
let lastId = 0;

/** Something happened that is not on the page itself. */
export function toast(text: string, kind: Toast['kind'] = 'ok'): void {
  lastId += 1;
  const one = { id: lastId, text, kind };
  shown.set([...shown.get(), one].slice(-MAX_SHOWN));
  setTimeout(() => shown.set(shown.get().filter(({ id }) => id !== one.id)), SHOWN_MS);
}

/** For what was asked by a press of a button and failed. */
export function toastError(error: unknown): void {
  toast(describeError(error), 'bad');
}

export function Toasts() {
  const toasts = useStore(shown);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-3 z-50 flex flex-col items-end gap-2"
    >
      {toasts.map(({ id, text, kind }) => (
        <div
          key={id}
          className={classNames(
            'pointer-events-auto max-w-md rounded-lg border bg-raised px-3 py-2 text-sm shadow-lg break-words',
            kind === 'bad' ? 'border-bad text-bad' : 'border-line',
          )}
        >
          {text}
        </div>
      ))}
    </div>
  );
}
