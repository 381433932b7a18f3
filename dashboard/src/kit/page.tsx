import { type ReactNode, useEffect, useRef } from 'react';
import { useLocationProperty } from 'wouter/use-browser-location';
import { classNames } from './class-names.ts';

interface PageProps {
  readonly title: string;
  /** One sentence for whoever is here for the first time. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** As wide as the window, for what needs the room. */
  readonly isWide?: boolean;
}

/** The frame of every page: its heading is what a screen reader and the tab's title say. */
export function Page({ title, lead, actions, children, isWide = false }: PageProps) {
  useTitle(title);
  return (
    <div className={classNames('mx-auto w-full px-4 py-5 sm:px-6', !isWide && 'max-w-6xl')}>
      <header className="mb-5 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
          {lead === undefined ? null : <p className="mt-1 max-w-prose text-muted">{lead}</p>}
        </div>
        {actions === undefined ? null : (
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Pincer`;
  }, [title]);
}

interface SectionProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** What stands behind `#` in an address that leads here. */
  readonly id?: string;
}

export function Section({ title, hint, actions, children, id }: SectionProps) {
  const element = useRef<HTMLElement>(null);
  const isMeant = useLocationProperty(() => id !== undefined && location.hash === `#${id}`);
  useEffect(() => {
    // Browsers look for the place when a page is loaded, and ours comes later.
    if (isMeant) element.current?.scrollIntoView();
  }, [isMeant]);
  return (
    <section ref={element} className="mb-8" id={id}>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-2">
        <div>
          <h2 className="text-lg font-semibold">{title}</h2>
          {hint === undefined ? null : <p className="text-sm text-muted">{hint}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

export function Card({
  children,
  className,
}: {
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <div className={classNames('rounded-lg border border-line bg-surface', className ?? 'p-4')}>
      {children}
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: ReactNode;
}

/** One number that matters. */
export function Figure({ label, value, hint }: FigureProps) {
  return (
    <Card>
      <div className="text-sm text-muted">{label}</div>
      <div className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">{value}</div>
      {hint === undefined ? null : <div className="mt-0.5 text-sm text-muted">{hint}</div>}
    </Card>
  );
}
