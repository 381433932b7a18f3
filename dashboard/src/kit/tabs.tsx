import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** Beside the label, when there is any. */
  readonly count?: number;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly onChange: (id: string) => void;
  /** Of the current one. */
  readonly children: ReactNode;
}

export function Tabs({ label, tabs, current, onChange, children }: TabsProps) {
  const name = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ id }) => id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.id);
    document.getElementById(`${name}${next.id}`)?.focus();
  };
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="mb-4 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map(({ id, label: text, count }) => (
          <button
            key={id}
            id={name + id}
            type="button"
            role="tab"
            aria-selected={id === current}
            aria-controls={`${name}panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
            className={classNames(
              '-mb-px border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap',
              id === current
                ? 'border-accent text-ink'
                : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {text}
            {count === undefined || count === 0 ? null : (
              <span className="ml-1.5 rounded-full bg-sunken px-1.5 text-xs tabular-nums">
                {count}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${name}panel`} aria-labelledby={name + current}>
        {children}
      </div>
    </>
  );
}
