import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { listMessages } from '../../../../../src/operations/sessions/sessions.ts';
import { client } from '../../../api/client.ts';
import { type LiveEvent, onLiveEvent } from '../../../api/live.ts';
import { type Exchange, groupExchanges, keepUnchanged } from './exchange.ts';

const PAGE = 100;
const ENDS: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled']);

export interface Transcript {
  readonly exchanges: readonly Exchange[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly hasEarlier: boolean;
  readonly isLoadingEarlier: boolean;
  loadEarlier(): void;
  /** Something was said. */
  refresh(): void;
}

/** What was said so far, newest page first; read again when something of it is said or answered, and only then. */
export function useTranscript(sessionId: string, isThread: boolean): Transcript {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['transcripts', sessionId],
    queryFn: ({ pageParam }) =>
      client.call(listMessages, {
        params: { session_id: sessionId },
        query: { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const { data, fetchNextPage, hasNextPage, isFetching, isFetchingNextPage } = query;
  const known = useRef<readonly Exchange[]>([]);
  const exchanges = useMemo(() => {
    const messages = (data?.pages ?? []).toReversed().flatMap((page) => page.messages);
    return keepUnchanged(known.current, groupExchanges(messages, isThread));
  }, [data, isThread]);
  known.current = exchanges;
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: ['transcripts', sessionId] }),
    [queries, sessionId],
  );
  useEffect(
    () => onLiveEvent((event) => concerns(event, sessionId, known.current) && refresh()),
    [sessionId, refresh],
  );
  const loadEarlier = useCallback(() => {
    // It would break off what brings the newest messages, and nobody would ask for those again.
    if (!isFetching) void fetchNextPage();
  }, [isFetching, fetchNextPage]);
  return {
    exchanges,
    isLoading: query.isPending,
    error: query.error,
    hasEarlier: hasNextPage,
    isLoadingEarlier: isFetchingNextPage,
    loadEarlier,
    refresh,
  };
}

function concerns(event: LiveEvent, sessionId: string, exchanges: readonly Exchange[]): boolean {
  const { event_type: type, run_id: runId, payload } = event;
  if (type === 'run.created') return payload['session_id'] === sessionId;
  return ENDS.has(type) && exchanges.some((exchange) => exchange.runId === runId);
}
