import { Link } from 'wouter';
import type { JobShape } from '../../../../src/operations/jobs/job-shapes.ts';
import { controlScheduler } from '../../../../src/operations/jobs/jobs.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Switch } from '../../kit/fields.tsx';
import { RunBadge } from '../../kit/state-badge.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { toastError } from '../../kit/toasts.tsx';
import { describeSchedule } from './describe-schedule.ts';

const COLUMNS: readonly Column<JobShape>[] = [
  {
    label: 'Job',
    cell: ({ job_id, message }) => (
      <>
        <Link
          href={`/schedule/${encodeURIComponent(job_id)}`}
          className="font-medium text-accent-ink hover:underline"
        >
          {job_id}
        </Link>
        <div className="max-w-80 truncate text-muted">{message}</div>
      </>
    ),
  },
  { label: 'When', cell: ({ schedule }) => describeSchedule(schedule) },
  { label: 'Agent', cell: ({ agent_id }) => agent_id, isExtra: true },
  { label: 'Next', cell: ({ next_run_at }) => <Time at={next_run_at} empty="not planned" /> },
  { label: 'Last run', cell: ({ last_run }) => <LastRun run={last_run} />, isExtra: true },
  { label: 'On', cell: (job) => <JobSwitch job={job} />, align: 'right' },
];

export function JobTable({ jobs }: { readonly jobs: readonly JobShape[] }) {
  return <Table label="Jobs" columns={COLUMNS} rows={jobs} keyOf={({ job_id }) => job_id} />;
}

function LastRun({ run }: { readonly run: JobShape['last_run'] }) {
  if (run === null) return <span className="text-muted">never</span>;
  return (
    <Link href={`/runs/${run.run_id}`} className="inline-flex items-center gap-2 hover:underline">
      <RunBadge status={run.run_status} />
      <Time at={run.at} />
    </Link>
  );
}

export function JobSwitch({ job: { job_id, enabled } }: { readonly job: JobShape }) {
  const control = useWrite(controlScheduler, { changes: ['jobs'] });
  return (
    <Switch
      label={`${job_id} fires`}
      isOn={enabled}
      isDisabled={control.isPending}
      onChange={(isOn) =>
        control.mutate(
          { body: { action: isOn ? 'resume' : 'pause', job_id } },
          { onError: toastError },
        )
      }
    />
  );
}
