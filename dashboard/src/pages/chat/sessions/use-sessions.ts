import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { listSessions } from '../../../../../src/operations/sessions/sessions.ts';
import { client } from '../../../api/client.ts';
import { refreshMsOfPages } from '../../../api/freshness.ts';

const PAGE = 50;
const MAX_QUERY_CHARS = 200;

export interface SessionFilter {
  readonly text: string;
  readonly hasClosed: boolean;
}

/** Conversations, the one that was used last first. Under the noun of its operation: events make it read again. No event tells of a new name. */
export function useSessions({ text, hasClosed }: SessionFilter) {
  const q = useDeferredValue(text.trim().slice(0, MAX_QUERY_CHARS));
  const query = useInfiniteQuery({
    queryKey: ['sessions', 'sessions.list', { q, hasClosed }],
    queryFn: ({ pageParam }) =>
      client.call(listSessions, {
        query: {
          limit: PAGE,
          ...(q === '' ? {} : { q }),
          ...(hasClosed ? { include_closed: 'true' as const } : {}),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
    refetchInterval: refreshMsOfPages(listSessions.name),
  });
  const { data, fetchNextPage, hasNextPage, isFetching } = query;
  const sessions = useMemo(() => data?.pages.flatMap((page) => page.sessions) ?? [], [data]);
  const loadMore = useCallback(() => {
    // It would break off what brings the newest ones, and nobody would ask for those again.
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return {
    sessions,
    loadMore,
    hasMore: hasNextPage,
    isPending: query.isPending,
    error: query.error,
    refetch: query.refetch,
  };
}
