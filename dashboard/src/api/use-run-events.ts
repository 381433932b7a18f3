import { useEffect, useState } from 'react';
import type { AnswerOf } from '../../../src/operations/operation.ts';
import { readStream } from '../../../src/operations/read-stream.ts';
import { streamEvents } from '../../../src/operations/runs/run-events.ts';
import { isSameVersion } from './client.ts';
import { live } from './live.ts';
import { pause } from './pause.ts';
import { readBytes } from './read-bytes.ts';
import { ask, Unreachable } from './send.ts';
import { untilSignedIn } from './session-state.ts';
import { watchSilence } from './watch-silence.ts';

export type RunEvent = AnswerOf<Awaited<ReturnType<typeof streamEvents.wire>>>;

export interface FollowedRun {
  readonly events: readonly RunEvent[];
  /** `whole`: the run ended and all of it is here. */
  readonly state: 'loading' | 'live' | 'lost' | 'whole' | 'failed';
  readonly error: Error | undefined;
}

const NOTHING: FollowedRun = { events: [], state: 'loading', error: undefined };
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000];

/** The events of a run from its first, then as they happen; after a lost connection from the last one seen on. */
export function useRunEvents(runId: string | undefined): FollowedRun {
  const [followed, setFollowed] = useState<FollowedRun>(NOTHING);
  useEffect(() => {
    setFollowed(NOTHING);
    if (runId === undefined) return;
    const end = new AbortController();
    void followRun(runId, { signal: end.signal, show: setFollowed });
    return () => end.abort();
  }, [runId]);
  return followed;
}

interface Following {
  readonly signal: AbortSignal;
  readonly show: (followed: FollowedRun) => void;
}

async function followRun(runId: string, { signal, show }: Following): Promise<void> {
  const events: RunEvent[] = [];
  const tell = showInFrames(events, { signal, show });
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const { page, isLast } of openPages(runId, events.at(-1)?.seq, signal)) {
        failures = 0;
        // What comes twice is not shown twice.
        const last = events.at(-1)?.seq ?? 0;
        events.push(...page.filter(({ seq }) => seq > last));
        tell(isLast ? 'whole' : 'live');
        if (isLast) return;
      }
      tell('live');
    } catch (error) {
      if (signal.aborted) return;
      const isPassing = error instanceof Unreachable || isRetryable(error);
      tell(isPassing ? 'lost' : 'failed', error as Error);
      if (!isPassing) return;
    }
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
    await untilSignedIn(signal);
    failures += 1;
  }
}

/** How long the server keeps a stream open on which nothing happens. */
const TAIL_MS = 60_000;
/** It says every 15 seconds that it is still there. */
const PATIENCE = { firstMs: 40_000, laterMs: 40_000 };

async function* openPages(runId: string, cursor: number | undefined, signal: AbortSignal) {
  const held = whenHeld();
  const isHeld = held.signal.aborted;
  const silence = watchSilence(PATIENCE);
  const input = {
    params: { run_id: runId },
    // What is passed on only once it is whole has to end soon.
    query: { tail_ms: isHeld ? 1 : TAIL_MS, ...(cursor === undefined ? {} : { cursor }) },
    headers: {},
  };
  const ends = [signal, silence.signal, ...(isHeld ? [] : [held.signal])];
  try {
    yield* readStream(openBytesWith(silence.hear), {
      operation: streamEvents,
      input: input as never,
      signal: AbortSignal.any(ends),
      isTrusted: isSameVersion(),
    });
  } finally {
    silence.stop();
    held.stop();
  }
}

/** Aborts once it is known that news do not arrive while a stream is open. */
function whenHeld() {
  const end = new AbortController();
  const look = () => {
    if (live.get().state === 'held') end.abort();
  };
  look();
  return { signal: end.signal, stop: live.subscribe(look) };
}

const openBytesWith =
  (hear: () => void) =>
  async (request: Parameters<typeof ask>[0] & { readonly signal: AbortSignal }) =>
    readBytes(await ask(request, request.signal), hear);

function isRetryable(error: unknown): boolean {
  // A body that breaks off, one that was given up, a server that is going down, a sign-in that may come back.
  if (error instanceof TypeError || (error as Error).name === 'AbortError') return true;
  const { retryable, code } = error as { readonly retryable?: boolean; readonly code?: string };
  return retryable === true || code === 'unauthenticated';
}

/** At most once in a frame: a thousand tokens a second are no thousand renderings. */
function showInFrames(events: readonly RunEvent[], { signal, show }: Following) {
  let isWaiting = false;
  let latest: Pick<FollowedRun, 'state' | 'error'> = { state: 'loading', error: undefined };
  return (state: FollowedRun['state'], error?: Error) => {
    latest = { state, error };
    if (isWaiting) return;
    isWaiting = true;
    // A page in the background has no frames, and still has to learn how it ended.
    setTimeout(() => {
      isWaiting = false;
      if (!signal.aborted) show({ events: events.slice(), ...latest });
    }, FRAME_MS);
  };
}

const FRAME_MS = 40;
