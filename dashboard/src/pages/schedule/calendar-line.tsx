import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { listUpcoming } from '../../../../src/operations/jobs/calendar.ts';
import { serverNowMs } from '../../api/server-time.ts';
import { useRead } from '../../api/use-operation.ts';
import { classNames } from '../../kit/class-names.ts';
import { formatExact } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Card } from '../../kit/page.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';

const SPANS = [
  { id: '6h', label: '6 hours', ms: 6 * 3_600_000, ticks: 6 },
  { id: '', label: '24 hours', ms: 24 * 3_600_000, ticks: 8 },
  { id: '7d', label: '7 days', ms: 7 * 86_400_000, ticks: 7 },
] as const;

const [, A_DAY] = SPANS;

/** Rows that fit on a page beside everything else, and times for each of them. */
const MAX_ROWS = 12;
const TIMES_OF_EACH = 100;

/** The next times of each job on one line per job, from now on. */
export function CalendarLine() {
  const [parameters, setParameters] = useExactParams();
  const span = SPANS.find(({ id }) => id === parameters.get('span')) ?? A_DAY;
  const nowMs = useMinute();
  const until = new Date(nowMs + span.ms).toISOString();
  const upcoming = useRead(listUpcoming, { query: { until, per_job: TIMES_OF_EACH } });
  return (
    <Card>
      <fieldset className="mb-3 flex gap-1">
        <legend className="sr-only">How far ahead</legend>
        {SPANS.map((one) => (
          <button
            key={one.label}
            type="button"
            aria-pressed={one === span}
            onClick={() => setParameters({ span: one.id }, { replace: true })}
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
      <Loaded query={upcoming} rows={2}>
        {({ jobs, truncated }) => (
          <div className="grid grid-cols-[minmax(5rem,10rem)_1fr] items-center gap-x-3 gap-y-1">
            {jobs.slice(0, MAX_ROWS).map(({ job_id, times, count }) => (
              <Line
                key={job_id}
                jobId={job_id}
                times={times}
                count={count}
                from={nowMs}
                spanMs={span.ms}
              />
            ))}
            <span className="text-sm text-muted">
              {jobs.length === 0
                ? 'Nothing'
                : truncated || jobs.length > MAX_ROWS
                  ? 'and more'
                  : ''}
            </span>
            <Axis from={nowMs} spanMs={span.ms} ticks={span.ticks} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const MINUTE_MS = 60_000;

/** The line begins now, and now moves on: what was asked until then would lie in the past some day. */
function useMinute(): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

interface LineProps {
  readonly jobId: string;
  readonly times: readonly string[];
  readonly count: number;
  readonly from: number;
  readonly spanMs: number;
}

function Line({ jobId, times, count, from, spanMs }: LineProps) {
  return (
    <>
      <Link
        href={`/schedule/${encodeURIComponent(jobId)}`}
        className="truncate text-sm hover:underline"
      >
        {jobId}
      </Link>
      <div className="relative h-6 rounded bg-sunken">
        <span className="sr-only">{`${count} times, the first ${formatExact(times[0] ?? from)}`}</span>
        {times.map((at) => (
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
