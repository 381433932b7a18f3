import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { listUpcoming } from '../../../../src/operations/jobs/calendar.ts';
import { serverNowMs } from '../../api/server-time.ts';
import { useRead } from '../../api/use-operation.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { All } from './run-lists.tsx';

const AHEAD_MS = 7 * 86_400_000;
const SHOWN = 6;

/** What agents will do by themselves, by its next time. */
export function ComesNext() {
  const [until] = useState(() => new Date(serverNowMs() + AHEAD_MS).toISOString());
  const upcoming = useRead(listUpcoming, { query: { until, per_job: 1 } });
  return (
    <Section title="What comes next" actions={<All to="/schedule" />}>
      <Loaded query={upcoming} rows={2}>
        {({ jobs, paused }) =>
          jobs.length === 0 || paused ? (
            <Empty
              icon={CalendarClock}
              title={paused ? 'The schedule is paused' : 'Nothing is due within a week'}
            >
              <p>A job tells an agent something at its time: a report each morning, for example.</p>
              <LinkButton to="/schedule">{paused ? 'Open the schedule' : 'Plan one'}</LinkButton>
            </Empty>
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
              {jobs.slice(0, SHOWN).map(({ job_id, agent_id, times: [next] }) => (
                <li key={job_id}>
                  <Link
                    href={`/schedule/${encodeURIComponent(job_id)}`}
                    className="flex items-center gap-3 px-3 py-2 hover:bg-sunken"
                  >
                    <CalendarClock aria-hidden className="size-4 shrink-0 text-muted" />
                    <span className="min-w-0 flex-1">
                      <span className="block truncate">{job_id}</span>
                      <span className="block truncate text-sm text-muted">{agent_id}</span>
                    </span>
                    <span className="shrink-0 text-sm text-muted">
                      <Time at={next} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
