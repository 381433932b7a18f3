import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
  readonly rows?: number;
}

/** What was asked for: a shape of it while it comes, words when it does not, and old data marked as such. */
export function Loaded<T>({ query, children, rows = 4 }: LoadedProps<T>) {
  const { data, error } = query;
  const retry = () => void query.refetch();
  if (data === undefined) {
    if (error !== null) return <ErrorNote error={error} onRetry={retry} />;
    return <Skeleton rows={rows} />;
  }
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={retry} isStale />}
      {children(data)}
    </>
  );
}

export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="space-y-2">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
        <div key={at} className="h-9 animate-pulse rounded-md bg-sunken" />
      ))}
    </div>
  );
}
