import { Moon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { listRuns } from '../../../../src/operations/runs/runs.ts';
import type { StatusShape } from '../../../../src/operations/status/status-shapes.ts';
import { serverNowMs } from '../../api/server-time.ts';
import { useRead } from '../../api/use-operation.ts';
import { Empty } from '../../kit/empty.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { RunBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';

type Run = StatusShape['runs'][number];

export const SHOWN_RUNS = 6;
const OPEN = 'queued,running,waiting,cancelling';
const LATELY_MS = 7 * 86_400_000;

/** What goes on, however long ago it began; when nothing does, what went on last. */
export function LatestRuns({ newest }: { readonly newest: readonly Run[] }) {
  const query = useRead(listRuns, { query: { status: OPEN, limit: SHOWN_RUNS } });
  return (
    <Loaded query={query} rows={2}>
      {({ runs: open }) => (
        <Section
          title={open.length === 0 ? 'Latest runs' : 'What runs'}
          actions={<All to="/runs" />}
        >
          {newest.length === 0 ? (
            <Empty icon={Moon} title="All is quiet">
              What agents do appears here, as they do it.
            </Empty>
          ) : (
            <Runs runs={open.length === 0 ? newest : open} />
          )}
        </Section>
      )}
    </Loaded>
  );
}

/** Nothing where nothing failed. */
export function FailedRuns() {
  const [from] = useState(() => new Date(serverNowMs() - LATELY_MS).toISOString());
  const query = useRead(listRuns, { query: { status: 'failed', from, limit: SHOWN_RUNS } });
  if (query.data?.runs.length === 0) return null;
  return (
    <Section title="What failed lately" actions={<All to="/runs?status=failed" />}>
      <Loaded query={query} rows={2}>
        {({ runs }) => <Runs runs={runs} />}
      </Loaded>
    </Section>
  );
}

export function All({ to }: { readonly to: string }): ReactNode {
  return (
    <Link href={to} className="text-sm text-accent-ink hover:underline">
      All
    </Link>
  );
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {runs.map(({ id, message, status, agent_id, created_at, error }) => (
        <li key={id}>
          <Link href={`/runs/${id}`} className="flex items-center gap-3 px-3 py-2 hover:bg-sunken">
            <RunBadge status={status} />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{message}</span>
              <span className="block truncate text-sm text-muted">
                {error?.message ?? agent_id}
              </span>
            </span>
            <span className="shrink-0 text-sm text-muted">
              <Time at={created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
