import { History } from 'lucide-react';
import { Link } from 'wouter';
import type { JobHistoryShape } from '../../../../src/operations/jobs/job-shapes.ts';
import { readJobHistory } from '../../../../src/operations/jobs/jobs.ts';
import { useRead } from '../../api/use-operation.ts';
import { Empty } from '../../kit/empty.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { RunBadge, StateBadge } from '../../kit/state-badge.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';

type Firing = JobHistoryShape['firings'][number];

const COLUMNS: readonly Column<Firing>[] = [
  {
    label: 'Due',
    cell: (firing) => (
      <Time at={firing.outcome === 'fired' ? firing.slot_at : firing.first_slot_at} />
    ),
  },
  {
    label: 'What became of it',
    cell: (firing) =>
      firing.outcome === 'fired' ? (
        <RunBadge status={firing.run_status} />
      ) : (
        <StateBadge state="off">{`missed ${firing.count}: ${firing.reason.replaceAll('_', ' ')}`}</StateBadge>
      ),
  },
  {
    label: 'Run',
    cell: (firing) =>
      firing.outcome === 'fired' ? (
        <Link href={`/runs/${firing.run_id}`} className="text-accent-ink hover:underline">
          {firing.run_id}
        </Link>
      ) : (
        '–'
      ),
  },
];

const SHOWN = 50;

export function JobHistory({ jobId }: { readonly jobId: string }) {
  const history = useRead(readJobHistory, { params: { job_id: jobId }, query: { limit: SHOWN } });
  return (
    <Loaded query={history}>
      {({ firings }) =>
        firings.length === 0 ? (
          <Empty icon={History} title="It has not been due yet" />
        ) : (
          <Table
            label="What became of its times"
            columns={COLUMNS}
            rows={firings}
            keyOf={(firing) => (firing.outcome === 'fired' ? firing.slot_at : firing.first_slot_at)}
          />
        )
      }
    </Loaded>
  );
}
