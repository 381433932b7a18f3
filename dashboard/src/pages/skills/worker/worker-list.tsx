import { Cpu } from 'lucide-react';
import { Link } from 'wouter';
import { WORKER_STATUSES } from '../../../../../src/core/workers/worker.ts';
import type { WorkerShape } from '../../../../../src/operations/workers/worker-shapes.ts';
import { listWorkers } from '../../../../../src/operations/workers/workers.ts';
import { usePages } from '../../../api/use-pages.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Select } from '../../../kit/fields.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Skeleton } from '../../../kit/loaded.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { useExactParams } from '../../../kit/use-exact-params.ts';
import { HeartbeatBadge, WorkerBadge } from './worker-state.tsx';

const PAGE = 100;

const COLUMNS: readonly Column<WorkerShape>[] = [
  {
    label: 'Worker',
    cell: ({ worker_id }) => (
      <Link
        href={`/skills/workers/${encodeURIComponent(worker_id)}`}
        className="font-medium break-all text-accent-ink hover:underline"
      >
        {worker_id}
      </Link>
    ),
  },
  { label: 'State', cell: ({ status }) => <WorkerBadge status={status} /> },
  { label: 'Heartbeat', cell: (worker) => <HeartbeatBadge worker={worker} /> },
  {
    label: 'Runs',
    cell: ({ command, adapter }) => <code className="break-all">{command ?? adapter}</code>,
    isExtra: true,
  },
  {
    label: 'Owner',
    cell: ({ owner }) => <span className="break-all">{owner}</span>,
    isExtra: true,
  },
  {
    label: 'Requests',
    cell: ({ requests_count }) => formatCount(requests_count),
    align: 'right',
    isExtra: true,
  },
];

/** Those of all principals, also ended ones that are not forgotten yet. */
export function WorkerList() {
  const [parameters, setParameters] = useExactParams();
  const status = WORKER_STATUSES.find((one) => one === parameters.get('status'));
  const query = { limit: PAGE, ...(status === undefined ? {} : { status }) };
  const pages = usePages(listWorkers, { query }, ({ workers }) => workers);
  return (
    <>
      <div className="mb-3 flex items-center gap-2">
        <Select
          aria-label="Which workers"
          value={status ?? 'all'}
          onChange={({ target: { value } }) =>
            setParameters({ status: value === 'all' ? undefined : value }, { replace: true })
          }
          className="max-w-48"
        >
          <option value="all">all</option>
          {WORKER_STATUSES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Button onClick={pages.reload}>Refresh</Button>
      </div>
      {pages.error === null ? null : <ErrorNote error={pages.error} onRetry={pages.reload} />}
      {pages.isLoaded || pages.error !== null ? null : <Skeleton />}
      {pages.isLoaded && pages.items.length === 0 ? (
        <Empty icon={Cpu} title={status === undefined ? 'No workers' : `None is ${status}`}>
          A product attaches them for its users, through POST /internal/v1/codex/workers.
        </Empty>
      ) : null}
      {pages.items.length === 0 ? null : (
        <Table
          label="Workers"
          columns={COLUMNS}
          rows={pages.items}
          keyOf={({ worker_id }) => worker_id}
        />
      )}
      {pages.hasMore ? (
        <Button isBusy={pages.isLoadingMore} onClick={pages.loadMore} className="mt-3">
          More workers
        </Button>
      ) : null}
    </>
  );
}
