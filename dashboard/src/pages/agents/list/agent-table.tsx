import { Link } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { type Column, Table } from '../../../kit/table.tsx';
import { AgentBadge, describeHome, describeModel, toAgentPath } from '../agent-state.tsx';
import { SleepSwitch } from '../sleep-switch.tsx';
import { LastActivity, useRecentRuns } from './last-activity.tsx';

export function AgentTable({ agents }: { readonly agents: readonly AgentShape[] }) {
  const recent = useRecentRuns();
  const columns: readonly Column<AgentShape>[] = [
    { label: 'Agent', cell: (agent) => <Who agent={agent} /> },
    { label: 'State', cell: ({ status }) => <AgentBadge status={status} /> },
    { label: 'Lives', cell: describeHome, isExtra: true },
    {
      label: 'Model',
      cell: (agent) => <span className="break-all">{describeModel(agent)}</span>,
      isExtra: true,
    },
    {
      label: 'Memory',
      cell: ({ memory_access }) => (memory_access === 'global' ? 'shared' : 'its own'),
      isExtra: true,
    },
    {
      label: 'Last activity',
      cell: ({ agent_id }) => <LastActivity agentId={agent_id} recent={recent} />,
      isExtra: true,
    },
    { label: 'Awake', cell: (agent) => <SleepSwitch agent={agent} />, align: 'right' },
  ];
  return (
    <Table label="Agents" columns={columns} rows={agents} keyOf={({ agent_id }) => agent_id} />
  );
}

function Who({ agent: { agent_id, name, slug, role } }: { readonly agent: AgentShape }) {
  return (
    <div className="max-w-xs min-w-0">
      <Link
        href={toAgentPath(agent_id)}
        className="font-medium break-words text-accent-ink hover:underline"
      >
        {name}
      </Link>
      <div className="text-muted break-words">{role === '' ? slug : role}</div>
    </div>
  );
}
