import { CalendarClock, Pause, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { Route, Switch } from 'wouter';
import { controlScheduler, listJobs, readScheduler } from '../../../../src/operations/jobs/jobs.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { usePages } from '../../api/use-pages.ts';
import { Button } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Skeleton } from '../../kit/loaded.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { toastError } from '../../kit/toasts.tsx';
import { CalendarLine } from './calendar-line.tsx';
import { JobDialog } from './job-dialog.tsx';
import { JobPage } from './job-page.tsx';
import { JobTable } from './job-table.tsx';

export function SchedulePage() {
  return (
    <Switch>
      <Route path="/schedule/:job_id">{({ job_id }) => <JobPage jobId={job_id} />}</Route>
      <Route>
        <AllJobs />
      </Route>
    </Switch>
  );
}

const PAGE = 100;

function AllJobs() {
  const [isNew, setIsNew] = useState(false);
  const pages = usePages(listJobs, { query: { limit: PAGE } }, ({ jobs }) => jobs);
  const { items, isLoaded, error, hasMore, isLoadingMore, loadMore, reload } = pages;
  return (
    <Page
      title="Schedule"
      lead="What agents do by themselves, and when."
      actions={
        <>
          <PauseAll />
          <Button kind="primary" icon={Plus} onClick={() => setIsNew(true)}>
            New job
          </Button>
        </>
      }
    >
      {error === null ? null : <ErrorNote error={error} isStale={isLoaded} onRetry={reload} />}
      {isLoaded || error !== null ? null : <Skeleton />}
      {isLoaded && items.length === 0 ? (
        <Empty icon={CalendarClock} title="Nothing is scheduled">
          <p>
            A job sends a message to an agent at its time: a report each morning, a check every
            hour.
          </p>
          <Button kind="primary" icon={Plus} onClick={() => setIsNew(true)}>
            Make the first one
          </Button>
        </Empty>
      ) : null}
      {items.length === 0 ? null : (
        <>
          <Section title="What comes">
            <CalendarLine />
          </Section>
          <Section title="Jobs">
            <JobTable jobs={items} />
            {hasMore ? (
              <Button isBusy={isLoadingMore} onClick={loadMore} className="mt-3">
                More jobs
              </Button>
            ) : null}
          </Section>
        </>
      )}
      {isNew ? <JobDialog onClose={() => setIsNew(false)} /> : null}
    </Page>
  );
}

/** Slots that pass meanwhile are not made up for. */
function PauseAll() {
  const { data } = useRead(readScheduler, {});
  const control = useWrite(controlScheduler, { changes: ['jobs', 'status'] });
  if (data === undefined) return null;
  if (!data.enabled)
    return <span className="text-sm text-wait">Jobs are off in the settings.</span>;
  return (
    <Button
      icon={data.paused ? Play : Pause}
      isBusy={control.isPending}
      onClick={() =>
        control.mutate(
          { body: { action: data.paused ? 'resume' : 'pause' } },
          { onError: toastError },
        )
      }
    >
      {data.paused ? 'Resume all' : 'Pause all'}
    </Button>
  );
}
