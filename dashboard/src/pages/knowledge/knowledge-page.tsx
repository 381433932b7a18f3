import { useEffect, useRef } from 'react';
import { AgentSelect } from '../../kit/agent-select.tsx';
import { Select } from '../../kit/fields.tsx';
import { Page } from '../../kit/page.tsx';
import { useProjects } from '../../kit/project-input.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { FactsTab } from './facts-tab.tsx';
import { FeedTab } from './feed-tab.tsx';
import { GraphTab } from './graph-tab.tsx';
import { type KnowledgeAddress, useKnowledgeAddress } from './knowledge-address.ts';

const TABS = [
  { id: 'graph', label: 'Graph' },
  { id: 'feed', label: 'Feed' },
  { id: 'facts', label: 'Facts' },
];

/** Where callers that name no project are counted. */
const DEFAULT_PROJECT = 'proj_001';

export function KnowledgePage() {
  const address = useKnowledgeAddress();
  const { tab, as, openTab, change } = address;
  const projects = useKnownProjects(address.project);
  const project = address.project === '' ? projects.newest : address.project;
  usePlace(address, projects.isKnown ? project : '');
  return (
    <Page
      title="Knowledge"
      lead="What a team learned in a project, and how it hangs together."
      isWide
      actions={
        <div className="grid w-full grid-cols-2 gap-2 sm:w-96">
          <Select
            aria-label="Project"
            value={project}
            onChange={(event) => change({ project: event.target.value, node: '' }, true)}
          >
            {projects.ids.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
          <AgentSelect
            aria-label="Seen by"
            value={as}
            onChange={(agent) => change({ as: agent }, true)}
            none="Seen by everybody"
          />
        </div>
      }
    >
      <Tabs label="Knowledge" tabs={TABS} current={tab} onChange={openTab}>
        {projects.isKnown ? <Shown address={address} project={project} /> : null}
      </Tabs>
    </Page>
  );
}

interface ShownProps {
  readonly address: KnowledgeAddress;
  readonly project: string;
}

function Shown({ address, project }: ShownProps) {
  switch (address.tab) {
    case 'graph':
      return <GraphTab address={address} project={project} />;
    case 'feed':
      return <FeedTab address={address} project={project} />;
    case 'facts':
      return <FactsTab address={address} project={project} />;
  }
}

/** Another project may be the newest in a moment. Who looks at one, or types, stays where they are. */
function usePlace(address: KnowledgeAddress, found: string): void {
  const latest = useRef(address);
  latest.current = address;
  const isPlaced = address.project !== '';
  useEffect(() => {
    if (!isPlaced && found !== '') latest.current.change({ project: found });
  }, [isPlaced, found]);
}

/** Any name is a project, so the one that is looked at is always among them. */
function useKnownProjects(current: string) {
  const { data, error } = useProjects();
  const byActivity = [...(data?.projects ?? [])].sort((a, b) =>
    (b.last_activity_at ?? '').localeCompare(a.last_activity_at ?? ''),
  );
  const newest = byActivity[0]?.project_id ?? DEFAULT_PROJECT;
  const ids = new Set(byActivity.map(({ project_id }) => project_id)).add(DEFAULT_PROJECT);
  if (current !== '') ids.add(current);
  return {
    newest,
    ids: [...ids].sort(),
    // Without the list the default is as good as any.
    isKnown: current !== '' || data !== undefined || error !== null,
  };
}
