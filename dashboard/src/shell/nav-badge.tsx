import { COUNTS_ONLY, readStatus } from '../../../src/operations/status/status.ts';
import { useRead } from '../api/use-operation.ts';

/** How many things wait for a person, beside the page where they are. */
export function NavBadge({ path }: { readonly path: string }) {
  const isCounted = path === '/' || path === '/tools' || path === '/runs';
  // Breakers, settled calls and the kill switch are no events of a run.
  const { data } = useRead(readStatus, COUNTS_ONLY, { isEnabled: isCounted });
  if (data === undefined || !isCounted) return null;
  const counts: Readonly<Record<string, number>> = {
    '/': data.approvals.pending,
    '/tools': data.effects.unknown,
    '/runs': data.counts.running,
  };
  const count = counts[path] ?? 0;
  if (count === 0) return null;
  const words = { '/': 'waiting for you', '/tools': 'to settle', '/runs': 'running' }[path];
  const tone = path === '/runs' ? 'bg-busy-soft text-busy' : 'bg-wait-soft text-wait';
  return (
    <span className={`rounded-full px-1.5 text-xs font-medium tabular-nums ${tone}`}>
      {count}
      <span className="sr-only"> {words}</span>
    </span>
  );
}
