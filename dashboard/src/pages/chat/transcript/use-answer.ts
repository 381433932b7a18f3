import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { getRun } from '../../../../../src/operations/runs/runs.ts';
import { client } from '../../../api/client.ts';
import { type FollowedRun, useRunEvents } from '../../../api/use-run-events.ts';
import { type Answer, isOver } from './answer.ts';
import { type Exchange, recallAnswer } from './exchange.ts';
import { readAnswer, readUsage } from './read-answer.ts';

interface AnswerOptions {
  /** The one of its session that goes on now. */
  readonly isCurrent: boolean;
  readonly onOver: () => void;
}

/** Answers that were read whole, by run: whoever scrolls back finds them as they were. */
const whole = new Map<string, Answer>();
const MAX_WHOLE = 300;

/**
 * The answer of one exchange. While it goes on, by its events; afterwards they stay for as long as it is shown, so that
 * nothing jumps. Of an older one the record tells the answer, and its events what was said and done on the way.
 */
export function useAnswer(exchange: Exchange, { isCurrent, onOver }: AnswerOptions): Answer {
  const { runId = '' } = exchange;
  const wasCurrent = useRef(false);
  wasCurrent.current ||= isCurrent;
  const kept = whole.get(runId);
  const hasMore = exchange.replies.some(({ role }) => role !== 'assistant');
  const isLookedAt = useLingering();
  const isOld = exchange.isOver && hasMore && kept === undefined && isLookedAt;
  const isFollowed = runId !== '' && !exchange.isShared && (wasCurrent.current || isOld);
  const followed = useRunEvents(isFollowed ? runId : undefined);
  const ended = useEndedRun(
    runId,
    isLookedAt && exchange.isOver && !isFollowed && kept === undefined,
  );
  const answer = useMemo(() => {
    if (isFollowed && isReadable(followed, exchange)) return readAnswer(followed.events);
    return kept ?? addUsage(recallAnswer(exchange), ended?.usage);
  }, [exchange, followed, isFollowed, ended, kept]);
  const isWhole = isFollowed && followed.state === 'whole' && isOver(answer);
  useEffect(() => {
    if (isWhole) keepWhole(runId, answer);
  }, [isWhole, runId, answer]);
  const isNews = isWhole && !exchange.isOver;
  useEffect(() => {
    if (isNews) onOver();
  }, [isNews, onOver]);
  return answer;
}

/** What only passes by while somebody scrolls is not asked about. */
const LINGER_MS = 200;

function useLingering(): boolean {
  const [isLookedAt, setIsLookedAt] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLookedAt(true), LINGER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLookedAt;
}

/** The beginning of an old log may be gone, and a log that is still coming says less than the record. */
function isReadable({ events, state }: FollowedRun, exchange: Exchange): boolean {
  if (events[0]?.seq !== 1) return false;
  return !exchange.isOver || state === 'whole' || state === 'live';
}

function keepWhole(runId: string, answer: Answer): void {
  whole.set(runId, answer);
  const [oldest] = whole.keys();
  if (whole.size > MAX_WHOLE && oldest !== undefined) whole.delete(oldest);
}

function addUsage(answer: Answer, spent: unknown): Answer {
  const usage = readUsage(spent);
  return usage === undefined ? answer : { ...answer, usage };
}

/** It never changes any more, so no event makes it worth reading again. */
function useEndedRun(runId: string, isWanted: boolean) {
  const { data } = useQuery({
    queryKey: ['ended_runs', runId],
    queryFn: () => client.call(getRun, { params: { run_id: runId } }),
    enabled: isWanted && runId !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
