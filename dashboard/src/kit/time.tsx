import { aheadMs, serverNowMs } from '../api/server-time.ts';
import { createStore, useStore } from '../api/store.ts';
import { formatExact, formatRelative } from './format.ts';

const TICK_MS = 10_000;
const now = createStore(serverNowMs());
setInterval(() => now.set(serverNowMs()), TICK_MS);
// The first answer says how wrong the clock is.
aheadMs.subscribe(() => now.set(serverNowMs()));

/** How long ago, or until when; exactly when, for whoever points at it. Empty for what has not happened. */
export function Time({
  at,
  empty = '–',
}: {
  readonly at: string | null | undefined;
  readonly empty?: string;
}) {
  const nowMs = useStore(now);
  if (at === null || at === undefined || at === '') return <span>{empty}</span>;
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={formatExact(at)} className="whitespace-nowrap tabular-nums">
      {formatRelative(atMs, Math.max(nowMs, Math.min(atMs, serverNowMs())))}
    </time>
  );
}
