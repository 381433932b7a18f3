import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { AnswerOf, InputOf, Wire } from '../../../src/operations/operation.ts';
import { client } from './client.ts';
import { isOnlyAsked, refreshMsOfPages } from './freshness.ts';
import { type Askable, keyOf } from './use-operation.ts';

export interface Pages<Item> {
  readonly items: readonly Item[];
  /** Undefined until the first page came. */
  readonly isLoaded: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Asks for the next page, unless it is on its way or there is none. */
  loadMore(): void;
  reload(): void;
}

/** A list that comes in pages, each asked for when the end of the one before comes near. */
export function usePages<W extends Wire, Item>(
  operation: Askable<W>,
  input: InputOf<W> & { readonly query: object },
  pick: (answer: AnswerOf<W>) => readonly Item[],
): Pages<Item> {
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(operation, input), 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      client.call(operation, {
        ...input,
        query: { ...input.query, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
      } as InputOf<W>),
    getNextPageParam: (last) => (last as { next_cursor?: string | null }).next_cursor ?? undefined,
    refetchInterval: refreshMsOfPages(operation.name),
    refetchOnWindowFocus: !isOnlyAsked(operation.name),
  });
  const { data, error, hasNextPage, isFetchingNextPage, isFetching, fetchNextPage, refetch } =
    pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: how to pick does not change
  const items = useMemo(() => data?.pages.flatMap((page) => [...pick(page)]) ?? [], [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return {
    items,
    isLoaded: data !== undefined,
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    reload: () => void refetch(),
  };
}
