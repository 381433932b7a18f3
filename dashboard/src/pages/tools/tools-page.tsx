import { useLocation } from 'wouter';
import { COUNTS_ONLY, readStatus } from '../../../../src/operations/status/status.ts';
import { useRead } from '../../api/use-operation.ts';
import { Page } from '../../kit/page.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useExactPath } from '../../kit/use-exact-params.ts';
import { Effects } from './effects.tsx';
import { Grants } from './grants.tsx';
import { McpServers } from './mcp-servers.tsx';
import { ToolDetail } from './tool-detail.tsx';
import { ToolList } from './tool-list.tsx';

/** `/tools`, `/tools/effects`, `/tools/mcp`, `/tools/grants`, `/tools/of/fs.write`. */
export function ToolsPage() {
  const [, navigate] = useLocation();
  const [, section = '', name = ''] = useExactPath();
  const status = useRead(readStatus, COUNTS_ONLY);
  if (section === 'of' && name !== '') return <ToolDetail name={name} />;
  const current = Object.hasOwn(SECTIONS, section) ? section : 'all';
  return (
    <Page title="Tools" lead="What agents can do, who may do it, and what went wrong with it.">
      <Tabs
        label="Tools"
        current={current}
        onChange={(id) => navigate(id === 'all' ? '/tools' : `/tools/${id}`)}
        tabs={[
          { id: 'all', label: 'Tools' },
          { id: 'effects', label: 'To settle', count: status.data?.effects.unknown ?? 0 },
          { id: 'grants', label: 'Grants' },
          { id: 'mcp', label: 'MCP servers' },
        ]}
      >
        {SECTIONS[current as keyof typeof SECTIONS]}
      </Tabs>
    </Page>
  );
}

const SECTIONS = {
  all: <ToolList />,
  effects: <Effects />,
  grants: <Grants />,
  mcp: <McpServers />,
} as const;
