import { Brain, History, Zap } from 'lucide-react';
import { Link } from 'wouter';
import type { ProjectEventsShape } from '../../../../src/operations/projects/project-shapes.ts';
import { readProjectEvents } from '../../../../src/operations/projects/projects.ts';
import { useRead } from '../../api/use-operation.ts';
import { Empty } from '../../kit/empty.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';

type Entry = ProjectEventsShape['events'][number];

/** As many as the server tells; a run's own page has the whole. */
const NEWEST = 100;

/** What agents say to themselves and do. Read again whenever a run moves. */
export function ProjectTimeline({ id }: { readonly id: string }) {
  const events = useRead(readProjectEvents, {
    query: { project_id: id, limit: NEWEST },
    headers: {},
  });
  return (
    <Section title="Timeline" hint={`The newest ${NEWEST} things that happened, as they happen.`}>
      <Loaded query={events}>
        {({ events: entries }) =>
          entries.length === 0 ? (
            <Empty icon={History} title="Nothing happened here yet">
              <p>Runs that name this project are followed here.</p>
            </Empty>
          ) : (
            <ol aria-label="Timeline" className="ml-2.5 border-l border-line">
              {entries.map((entry) => (
                <TimelineRow key={entry.id} entry={entry} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function TimelineRow({ entry }: { readonly entry: Entry }) {
  const { kind, agent_id, agent_name, content, run_id, timestamp } = entry;
  const Shape = kind === 'thought' ? Brain : Zap;
  return (
    <li className="relative pb-4 pl-6">
      <Shape
        role="img"
        aria-label={kind}
        className="absolute top-0.5 -left-2.5 size-5 rounded-full border border-line bg-surface p-0.5 text-muted"
      />
      <p className="line-clamp-6 break-words whitespace-pre-line">
        <span className="font-medium">{agent_name ?? agent_id}</span> {content}
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
        <Time at={timestamp} />
        <Link
          href={`/runs/${encodeURIComponent(run_id)}`}
          className="text-accent-ink underline underline-offset-2"
        >
          its run
        </Link>
      </p>
    </li>
  );
}
