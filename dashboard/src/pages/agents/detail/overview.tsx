import {
  BadgeDollarSign,
  BrainCircuit,
  type LucideIcon,
  SquareActivity,
  Wrench,
} from 'lucide-react';
import { Link } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { Id } from '../../../kit/copy.tsx';
import { Card } from '../../../kit/page.tsx';
import { Time } from '../../../kit/time.tsx';
import { AgentBadge, describeHome, describeModel } from '../agent-state.tsx';
import { SleepSwitch } from '../sleep-switch.tsx';
import { LatestChats } from './latest-chats.tsx';
import { LatestRuns } from './latest-runs.tsx';

export function Overview({ agent }: { readonly agent: AgentShape }) {
  return (
    <>
      <Facts agent={agent} />
      <Elsewhere agentId={agent.agent_id} />
      <LatestRuns agent={agent} />
      <LatestChats agent={agent} />
    </>
  );
}

function Facts({ agent }: { readonly agent: AgentShape }) {
  const facts = [
    ['Role', agent.role === '' ? 'none' : agent.role],
    ['Lives', describeHome(agent)],
    ['Model', describeModel(agent)],
    ['Memory', agent.memory_access === 'global' ? 'shared with all agents' : 'its own'],
    ['Skills', agent.skills.length === 0 ? 'all that it is granted' : agent.skills.join(', ')],
    ['Known as', agent.slug],
    ['Id', <Id key="id" value={agent.agent_id} chars={8} />],
    ['Made', <Time key="made" at={agent.created_at} />],
    ['Changed', <Time key="changed" at={agent.updated_at} />],
  ] as const;
  return (
    <Card className="mb-6 p-4">
      <div className="mb-4 flex items-center justify-between gap-3">
        <AgentBadge status={agent.status} />
        <span className="flex items-center gap-2 text-sm text-muted">
          Awake
          <SleepSwitch agent={agent} />
        </span>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm lg:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const PLACES: readonly (readonly [string, (agentId: string) => string, LucideIcon])[] = [
  ['Runs', (id) => `/runs?agent=${id}`, SquareActivity],
  ['Memories', (id) => `/memory?author=${id}`, BrainCircuit],
  ['Grants', (id) => `/tools/grants?agent=${id}`, Wrench],
  ['Costs', () => '/costs?by=agent', BadgeDollarSign],
];

/** What else there is of it. */
function Elsewhere({ agentId }: { readonly agentId: string }) {
  return (
    <nav aria-label="More about it" className="mb-8 flex flex-wrap gap-2">
      {PLACES.map(([label, toPath, Shape]) => (
        <Link
          key={label}
          href={toPath(encodeURIComponent(agentId))}
          className="inline-flex h-9 items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-sm font-medium hover:bg-sunken"
        >
          <Shape aria-hidden className="size-4 text-muted" />
          {label}
        </Link>
      ))}
    </nav>
  );
}
