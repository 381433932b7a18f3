import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { getRun } from '../../../../../src/operations/runs/runs.ts';
import { client } from '../../../api/client.ts';
import { type FollowedRun, useRunEvents } from '../../../api/use-run-events.ts';
import { type Answer, isOver } from './answer.ts';
import { type Exchange, recallAnswer } from './exchange.ts';
import { readAnswer, readUsage } from './read-answer.ts';

interface AnswerOptions {
  /** The one of its session that goes on now. */
  readonly isCurrent: boolean;
  /** Whether somebody may look at it soon. */
  readonly isNear: boolean;
  readonly onOver: () => void;
}

/**
 * The answer of one exchange. While it goes on, by its events; afterwards they stay for as long as it is shown, so that
 * nothing jumps. Of an older one the record tells the answer, and its events what was said and done on the way.
 */
export function useAnswer(exchange: Exchange, options: AnswerOptions): Answer {
  const { isCurrent, isNear, onOver } = options;
  const { runId } = exchange;
  const wasCurrent = useRef(false);
  wasCurrent.current ||= isCurrent;
  const hasTools = exchange.replies.some(({ role }) => role === 'tool');
  const isWorthReading = wasCurrent.current || (isNear && exchange.isOver && hasTools);
  const isFollowed = isWorthReading && !exchange.isShared;
  const followed = useRunEvents(isFollowed ? runId : undefined);
  const ended = useEndedRun(runId, { isEnabled: isNear && exchange.isOver && !isFollowed });
  const answer = useMemo(
    () => chooseAnswer(exchange, { followed, isFollowed, usage: ended?.usage }),
    [exchange, followed, isFollowed, ended],
  );
  const isDone = isFollowed && isOver(answer) && !exchange.isOver;
  useEffect(() => {
    if (isDone) onOver();
  }, [isDone, onOver]);
  return answer;
}

interface Sources {
  readonly followed: FollowedRun;
  readonly isFollowed: boolean;
  readonly usage: unknown;
}

function chooseAnswer(exchange: Exchange, { followed, isFollowed, usage }: Sources): Answer {
  const { events, state } = followed;
  // The beginning of an old log may be gone; the record is not.
  const isReadable = isFollowed && events[0]?.seq === 1;
  const isTrue = state === 'whole' || state === 'live' || !exchange.isOver;
  if (isReadable && isTrue && (!exchange.isOver || state !== 'loading')) return readAnswer(events);
  const recalled = recallAnswer(exchange);
  const spent = readUsage(usage);
  return spent === undefined ? recalled : { ...recalled, usage: spent };
}

/** It never changes any more, so no event makes it worth reading again. */
function useEndedRun(runId: string | undefined, { isEnabled }: { readonly isEnabled: boolean }) {
  const { data } = useQuery({
    queryKey: ['ended_runs', runId],
    queryFn: () => client.call(getRun, { params: { run_id: runId ?? '' } }),
    enabled: isEnabled && runId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
