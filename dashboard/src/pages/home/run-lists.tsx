import { Moon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { StatusShape } from '../../../../src/operations/status/status-shapes.ts';
import { Empty } from '../../kit/empty.tsx';
import { Section } from '../../kit/page.tsx';
import { RunBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';

type Run = StatusShape['runs'][number];

const OPEN = new Set(['queued', 'running', 'waiting', 'cancelling']);
const SHOWN = 6;

/** What goes on; when nothing does, what went on last. */
export function LatestRuns({ runs }: { readonly runs: readonly Run[] }) {
  const open = runs.filter(({ status }) => OPEN.has(status));
  const isQuiet = open.length === 0;
  return (
    <Section title={isQuiet ? 'Latest runs' : 'What runs'} actions={<All to="/runs" />}>
      {runs.length === 0 ? (
        <Empty icon={Moon} title="All is quiet">
          What agents do appears here, as they do it.
        </Empty>
      ) : (
        <Runs runs={(isQuiet ? runs : open).slice(0, SHOWN)} />
      )}
    </Section>
  );
}

/** Nothing where nothing failed. */
export function FailedRuns({ runs }: { readonly runs: readonly Run[] }) {
  const failed = runs.filter(({ status }) => status === 'failed').slice(0, SHOWN);
  if (failed.length === 0) return null;
  return (
    <Section title="What failed lately" actions={<All to="/runs?status=failed" />}>
      <Runs runs={failed} />
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
