import { useEffect, useMemo, useRef, useState } from 'react';
import { serverNowMs } from '../../../api/server-time.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import type { Timeline } from '../timeline/span.ts';
import { createTimeline } from '../timeline/timeline.ts';

/** Of one run: whoever shows another begins with another component. */
export function useTimeline(events: readonly RunEvent[]): Timeline {
  const builder = useRef(createTimeline());
  return useMemo(() => builder.current.add(events), [events]);
}

const TICK_MS = 200;

/** Now as the server counts, anew several times a second while something goes on. */
export function useNowMs(isTicking: boolean, tickMs = TICK_MS): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNowMs(serverNowMs()), tickMs);
    return () => clearInterval(timer);
  }, [isTicking, tickMs]);
  return nowMs;
}
