import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { JobShape } from '../../../../src/operations/jobs/job-shapes.ts';
import { getJob, previewJob, removeJob } from '../../../../src/operations/jobs/jobs.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { toCurl } from '../../kit/curl.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { formatExact } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Card, Page, Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { toast } from '../../kit/toasts.tsx';
import { describeSchedule } from './describe-schedule.ts';
import { JobDialog } from './job-dialog.tsx';
import { JobHistory } from './job-history.tsx';
import { JobSwitch } from './job-table.tsx';

export function JobPage({ jobId }: { readonly jobId: string }) {
  const input = { params: { job_id: jobId } };
  const job = useRead(getJob, input);
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  return (
    <Page
      title={jobId}
      lead={
        <Link href="/schedule" className="hover:underline">
          All jobs
        </Link>
      }
      actions={
        <>
          <CopyButton text={toCurl(getJob, input)} label="Copy as curl" />
          <Button icon={Pencil} disabled={job.data === undefined} onClick={() => setAsked('edit')}>
            Edit
          </Button>
          <Button kind="danger" icon={Trash2} onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </>
      }
    >
      <Loaded query={job}>
        {(found) => (
          <>
            <Facts job={found} />
            <Upcoming jobId={jobId} />
            <Section title="History">
              <JobHistory jobId={jobId} />
            </Section>
            {asked === 'edit' ? (
              <JobDialog job={found} onClose={() => setAsked(undefined)} />
            ) : null}
          </>
        )}
      </Loaded>
      {asked === 'delete' ? <RemoveJob jobId={jobId} onClose={() => setAsked(undefined)} /> : null}
    </Page>
  );
}

function Facts({ job }: { readonly job: JobShape }) {
  const facts = [
    ['When', describeSchedule(job.schedule)],
    ['Time zone', job.timezone],
    ['Agent', job.agent_id],
    ['Missed times', job.catch_up === 'once' ? 'made up for once' : 'left out'],
  ] as const;
  return (
    <Card className="mb-6 p-4">
      <div className="mb-3 flex items-center justify-between gap-3">
        <p className="whitespace-pre-wrap break-words">{job.message}</p>
        <JobSwitch job={job} />
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt className="text-muted">Next</dt>
          <dd>
            <Time at={job.next_run_at} empty="not planned" />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function Upcoming({ jobId }: { readonly jobId: string }) {
  const preview = useRead(previewJob, { params: { job_id: jobId }, query: { count: 5 } });
  return (
    <Section title="Next times">
      <Loaded query={preview} rows={1}>
        {({ upcoming }) =>
          upcoming.length === 0 ? (
            <p className="text-muted">None: it is off, or its moment has passed.</p>
          ) : (
            <ol className="flex flex-wrap gap-2 text-sm">
              {upcoming.map(({ at }) => (
                <li
                  key={at}
                  className="rounded-md border border-line bg-surface px-2 py-1 tabular-nums"
                >
                  {formatExact(at)}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function RemoveJob({ jobId, onClose }: { readonly jobId: string; readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const remove = useWrite(removeJob, {
    changes: ['scheduler'],
    onDone() {
      toast(`${jobId} is gone.`);
      navigate('/schedule');
    },
  });
  return (
    <Confirm
      title={`Delete ${jobId}?`}
      action="Delete"
      write={remove}
      onConfirm={() => remove.mutate({ params: { job_id: jobId } })}
      onClose={onClose}
    >
      Its history goes with it. Runs that it made stay.
    </Confirm>
  );
}
