import { Link } from 'wouter';
import type { SummaryShape } from '../../../../src/operations/observability/observability-shapes.ts';
import type { StatusShape } from '../../../../src/operations/status/status-shapes.ts';
import { formatCount, formatDuration } from '../../kit/format.ts';
import { Figure } from '../../kit/page.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { SpentToday } from './spent-today.tsx';

interface FiguresProps {
  readonly status: StatusShape;
  readonly health: SummaryShape | undefined;
}

const HEALTH: Readonly<Record<SummaryShape['alert_status'], readonly [State, string]>> = {
  nominal: ['ok', 'All is well'],
  watch: ['wait', 'Watch it'],
  critical: ['bad', 'Critical'],
};

/** Not asked yet, or not answered: that all is well is said by nobody. */
const UNKNOWN = ['off', 'Not known yet'] as const;

/** What one wants to know at 3 a.m., in one line. */
export function Figures({ status, health }: FiguresProps) {
  const { counts, approvals, effects, queue } = status;
  const waiting = approvals.pending + effects.unknown;
  const [state, words] = health === undefined ? UNKNOWN : HEALTH[health.alert_status];
  return (
    <div className="mb-6 grid grid-cols-2 gap-3 md:grid-cols-5">
      <Figure
        label="Running"
        value={<Link href="/runs?status=running">{formatCount(counts.running)}</Link>}
        hint={`${formatCount(queue.queued)} queued`}
      />
      <Figure
        label="Waiting for me"
        value={formatCount(waiting)}
        hint={waiting === 0 ? 'nothing' : 'see below'}
      />
      <Figure
        label="Failed"
        value={<Link href="/runs?status=failed">{formatCount(counts.failed)}</Link>}
        hint={`of ${formatCount(status.run_count)} runs`}
      />
      <SpentToday spent={status.spend_today} />
      <Figure
        label="Health"
        value={
          <span className="text-base">
            <StateBadge state={state}>{words}</StateBadge>
          </span>
        }
        hint={`up ${formatDuration(status.uptime_seconds * 1_000)}`}
      />
    </div>
  );
}
