import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { JobShape } from '../../../../src/operations/jobs/job-shapes.ts';
import { previewJob } from '../../../../src/operations/jobs/jobs.ts';
import { client } from '../../api/client.ts';
import { serverNowMs } from '../../api/server-time.ts';
import { keyOf } from '../../api/use-operation.ts';
import { classNames } from '../../kit/class-names.ts';
import { formatExact } from '../../kit/format.ts';
import { Card } from '../../kit/page.tsx';

const SPANS = [
  { label: '6 hours', ms: 6 * 3_600_000, ticks: 6 },
  { label: '24 hours', ms: 24 * 3_600_000, ticks: 8 },
  { label: '7 days', ms: 7 * 86_400_000, ticks: 7 },
] as const;

/** Rows that fit on a page beside everything else, and times for each of them. */
const MAX_ROWS = 12;
const TIMES_OF_EACH = 50;

/** The next times of each job on one line per job, from now on. */
export function CalendarLine({ jobs }: { readonly jobs: readonly JobShape[] }) {
  const [span, setSpan] = useState<(typeof SPANS)[number]>(SPANS[1]);
  const coming = jobs
    .filter(({ next_run_at }) => next_run_at !== null)
    .sort((a, b) => (a.next_run_at ?? '').localeCompare(b.next_run_at ?? ''))
    .slice(0, MAX_ROWS);
  const previews = useQueries({
    queries: coming.map(({ job_id }) => {
      const input = { params: { job_id }, query: { count: TIMES_OF_EACH } };
      return { queryKey: keyOf(previewJob, input), queryFn: () => client.call(previewJob, input) };
    }),
  });
  const nowMs = serverNowMs();
  if (coming.length === 0)
    return <p className="text-muted">No job will fire: all are off, or have passed.</p>;
  return (
    <Card>
      <fieldset className="mb-3 flex gap-1">
        <legend className="sr-only">How far ahead</legend>
        {SPANS.map((one) => (
          <button
            key={one.label}
            type="button"
            aria-pressed={one === span}
            onClick={() => setSpan(one)}
            className={classNames(
              'rounded-md px-2 py-1 text-sm',
              one === span
                ? 'bg-accent-soft font-medium text-accent-ink'
                : 'text-muted hover:bg-sunken',
            )}
          >
            {one.label}
          </button>
        ))}
      </fieldset>
      <div className="grid grid-cols-[minmax(5rem,10rem)_1fr] items-center gap-x-3 gap-y-1">
        {coming.map(({ job_id }, at) => (
          <Line
            key={job_id}
            jobId={job_id}
            times={previews[at]?.data?.upcoming ?? []}
            from={nowMs}
            spanMs={span.ms}
          />
        ))}
        <span />
        <Axis from={nowMs} spanMs={span.ms} ticks={span.ticks} />
      </div>
    </Card>
  );
}

interface LineProps {
  readonly jobId: string;
  readonly times: readonly { readonly at: string }[];
  readonly from: number;
  readonly spanMs: number;
}

function Line({ jobId, times, from, spanMs }: LineProps) {
  const shown = times.filter(({ at }) => Date.parse(at) < from + spanMs);
  return (
    <>
      <Link
        href={`/schedule/${encodeURIComponent(jobId)}`}
        className="truncate text-sm hover:underline"
      >
        {jobId}
      </Link>
      <div className="relative h-6 rounded bg-sunken">
        <span className="sr-only">{`${shown.length} times, the first ${formatExact(shown[0]?.at ?? from)}`}</span>
        {shown.map(({ at }) => (
          <span
            key={at}
            title={formatExact(at)}
            className="absolute top-1 h-4 w-1.5 rounded-sm bg-accent"
            style={{ left: `min(${((Date.parse(at) - from) / spanMs) * 100}%, calc(100% - 6px))` }}
          />
        ))}
      </div>
    </>
  );
}

interface AxisProps {
  readonly from: number;
  readonly spanMs: number;
  readonly ticks: number;
}

function Axis({ from, spanMs, ticks }: AxisProps) {
  const isLong = spanMs > 86_400_000;
  const format = (ms: number) =>
    isLong
      ? new Date(ms).toLocaleDateString('en', { weekday: 'short' })
      : new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return (
    <div aria-hidden className="relative h-4 text-xs text-muted">
      {Array.from({ length: ticks }, (_, at) => at / ticks).map((share, at) => (
        <span
          key={share}
          className={classNames('absolute', at % 2 === 1 && 'hidden sm:inline')}
          style={{ left: `${share * 100}%` }}
        >
          {at === 0 ? 'now' : format(from + share * spanMs)}
        </span>
      ))}
    </div>
  );
}
