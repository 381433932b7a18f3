import { Bot, Plus, Upload } from 'lucide-react';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { listAgents } from '../../../../../src/operations/agents/agents.ts';
import { usePages } from '../../../api/use-pages.ts';
import { Button, LinkButton } from '../../../kit/button.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { SearchInput } from '../../../kit/fields.tsx';
import { Skeleton } from '../../../kit/loaded.tsx';
import { Page } from '../../../kit/page.tsx';
import { useExactParams } from '../../../kit/use-exact-params.ts';
import { AgentTable } from './agent-table.tsx';

const PAGE = 100;

export function AgentListPage() {
  const [parameters, setParameters] = useExactParams();
  const text = parameters.get('q') ?? '';
  const pages = usePages(listAgents, { query: { limit: PAGE } }, ({ agents }) => agents);
  const shown = pages.items.filter((agent) => says(agent, text));
  return (
    <Page
      title="Agents"
      lead="Who works for you: what each may do, what it remembers, what it says of itself."
      actions={
        <>
          <LinkButton to="/agents/import" icon={Upload}>
            Import
          </LinkButton>
          <LinkButton to="/agents/new" kind="primary" icon={Plus}>
            New agent
          </LinkButton>
        </>
      }
    >
      <div className="mb-3">
        <SearchInput
          label="Find an agent"
          value={text}
          onChange={(q) => setParameters({ q }, { replace: true })}
        />
      </div>
      {pages.error === null ? null : (
        <ErrorNote error={pages.error} isStale={pages.isLoaded} onRetry={pages.reload} />
      )}
      {pages.isLoaded || pages.error !== null ? null : <Skeleton />}
      {pages.isLoaded && shown.length === 0 ? <NoAgents text={text} /> : null}
      {shown.length === 0 ? null : <AgentTable agents={shown} />}
      {pages.hasMore ? (
        <Button isBusy={pages.isLoadingMore} onClick={pages.loadMore} className="mt-3">
          More agents
        </Button>
      ) : null}
    </Page>
  );
}

function NoAgents({ text }: { readonly text: string }) {
  return (
    <Empty icon={Bot} title={text === '' ? 'No agent yet' : `No agent says “${text}”`}>
      A new one is made in a minute, from a preset that you can change later.
      <LinkButton to="/agents/new" icon={Plus}>
        New agent
      </LinkButton>
    </Empty>
  );
}

function says({ name, slug, role, agent_id }: AgentShape, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [name, slug, role, agent_id].some((word) => word.toLowerCase().includes(wanted));
}
