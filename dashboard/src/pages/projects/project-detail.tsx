import { Share2 } from 'lucide-react';
import { Link } from 'wouter';
import type { ProjectStatusShape } from '../../../../src/operations/projects/project-shapes.ts';
import { readProjectStatus } from '../../../../src/operations/projects/projects.ts';
import { useRead } from '../../api/use-operation.ts';
import { LinkButton } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Figure, Page, Section } from '../../kit/page.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { OverallBadge } from './overall-badge.tsx';
import { ProjectCosts } from './project-costs.tsx';
import { ProjectTimeline } from './project-timeline.tsx';

/** One project: how it stands, what goes on, what it costs. */
export function ProjectDetail({ id }: { readonly id: string }) {
  const status = useRead(readProjectStatus, { query: { project_id: id } });
  return (
    <Page
      title={id}
      lead={
        <Link href="/projects" className="text-accent-ink underline underline-offset-2">
          All projects
        </Link>
      }
      actions={
        <LinkButton to={`/knowledge?project=${encodeURIComponent(id)}`} icon={Share2}>
          What was learned
        </LinkButton>
      }
    >
      <Loaded query={status}>{(data) => <Standing status={data} />}</Loaded>
      <div className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <ProjectTimeline id={id} />
        <ProjectCosts id={id} />
      </div>
    </Page>
  );
}

function Standing({ status }: { readonly status: ProjectStatusShape }) {
  const { tasks, failed, cancelled, agents } = status;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2 text-sm text-muted">
        <OverallBadge status={status.overall_status} />
        <span>
          last activity <Time at={status.updated_at} />
        </span>
      </div>
      <div className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label="To do" value={formatCount(tasks.todo)} hint="queued and waiting" />
        <Figure label="Doing" value={formatCount(tasks.doing)} hint="running now" />
        <Figure label="Done" value={formatCount(tasks.done)} hint="completed" />
        <Figure
          label="Failed"
          value={<span className={failed > 0 ? 'text-bad' : undefined}>{formatCount(failed)}</span>}
          hint={`${formatCount(cancelled)} cancelled`}
        />
      </div>
      {agents.length === 0 ? null : (
        <Section title="Who works on it">
          <ul className="flex flex-wrap gap-2">
            {agents.map((agent) => (
              <li key={agent.id}>
                <AgentChip {...agent} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

type AgentStatus = ProjectStatusShape['agents'][number]['status'];

const AGENT_STATES: Readonly<Record<AgentStatus, State>> = {
  idle: 'ok',
  busy: 'busy',
  sleeping: 'off',
};

interface AgentChipProps {
  readonly id: string;
  readonly name: string;
  readonly status: AgentStatus;
}

function AgentChip({ id, name, status }: AgentChipProps) {
  return (
    <Link
      href={`/agents/${encodeURIComponent(id)}`}
      className="inline-flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-1.5 hover:bg-sunken"
    >
      <span className="max-w-48 truncate">{name}</span>
      <StateBadge state={AGENT_STATES[status]}>{status}</StateBadge>
    </Link>
  );
}
