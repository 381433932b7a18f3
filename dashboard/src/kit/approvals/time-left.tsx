import { useEffect, useState } from 'react';
import { serverNowMs } from '../../api/server-time.ts';
import { formatDuration, formatExact } from '../format.ts';

const SECOND_MS = 1_000;
const URGENT_MS = 5 * 60_000;

/** Until when somebody has to answer, counted down by the server's clock. */
export function TimeLeft({ until }: { readonly until: string }) {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Date.parse(until) - nowMs;
  return (
    <time
      dateTime={until}
      title={`Denied by itself at ${formatExact(until)}`}
      className={`whitespace-nowrap tabular-nums ${leftMs < URGENT_MS ? 'font-medium text-wait' : ''}`}
    >
      {leftMs > 0 ? `${formatDuration(wholeSeconds(leftMs))} left` : 'expired'}
    </time>
  );
}

const wholeSeconds = (ms: number) => Math.ceil(ms / SECOND_MS) * SECOND_MS;
