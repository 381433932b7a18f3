import { MessageSquare } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { getAgent } from '../../../../../src/operations/agents/agents.ts';
import { keep } from '../../../api/kept.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { Page } from '../../../kit/page.tsx';
import { Tabs } from '../../../kit/tabs.tsx';
import { toAgentPath } from '../agent-state.tsx';
import { AgentMenu } from './agent-menu.tsx';
import { AgentSettings } from './agent-settings.tsx';
import { Overview } from './overview.tsx';
import { Permissions } from './permissions.tsx';
import { SoulEditor } from './soul-editor.tsx';

interface AgentPageProps {
  readonly agentId: string;
  readonly tab: string | undefined;
}

/** By id, slug or name, as everywhere. */
export function AgentPage({ agentId, tab }: AgentPageProps) {
  const agent = useRead(getAgent, { params: { agent_id: agentId } });
  return (
    <Page
      title={agent.data?.name ?? agentId}
      lead={
        <Link href="/agents" className="hover:underline">
          All agents
        </Link>
      }
      actions={
        agent.data === undefined ? null : (
          <>
            <TalkButton agent={agent.data} />
            <AgentMenu agent={agent.data} />
          </>
        )
      }
    >
      <Loaded query={agent}>{(found) => <AgentTabs agent={found} tab={tab} />}</Loaded>
    </Page>
  );
}

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'soul', label: 'Soul' },
  { id: 'permissions', label: 'Permissions' },
  { id: 'settings', label: 'Settings' },
] as const;

function AgentTabs({
  agent,
  tab,
}: {
  readonly agent: AgentShape;
  readonly tab: string | undefined;
}) {
  const [, navigate] = useLocation();
  const current = TABS.find(({ id }) => id === tab)?.id ?? 'overview';
  return (
    <Tabs
      label={`About ${agent.name}`}
      tabs={TABS}
      current={current}
      onChange={(id) => navigate(toAgentPath(agent.agent_id, id === 'overview' ? '' : id))}
    >
      {current === 'overview' ? <Overview agent={agent} /> : null}
      {current === 'soul' ? <SoulEditor agent={agent} /> : null}
      {current === 'permissions' ? <Permissions agent={agent} /> : null}
      {current === 'settings' ? <AgentSettings agent={agent} /> : null}
    </Tabs>
  );
}

/** The chat begins with whom it was opened for. */
function TalkButton({ agent: { agent_id } }: { readonly agent: AgentShape }) {
  const [, navigate] = useLocation();
  return (
    <Button
      kind="primary"
      icon={MessageSquare}
      onClick={() => {
        keep('chat.agent', agent_id);
        navigate('/chat/new');
      }}
    >
      Talk to it
    </Button>
  );
}
