import { Route, Switch } from 'wouter';
import { AgentPage } from './detail/agent-page.tsx';
import { ImportPage } from './import/import-page.tsx';
import { AgentListPage } from './list/agent-list-page.tsx';
import { SpawnWizard } from './wizard/spawn-wizard.tsx';

/** `/agents`, `/agents/new`, `/agents/import`, `/agents/lince`, `/agents/lince/soul`. */
export function AgentsPage() {
  return (
    <Switch>
      <Route path="/agents/new/:step?">{({ step }) => <SpawnWizard step={step} />}</Route>
      <Route path="/agents/import">
        <ImportPage />
      </Route>
      <Route path="/agents/:agentId/:tab?">
        {({ agentId, tab }) => <AgentPage key={agentId} agentId={agentId} tab={tab} />}
      </Route>
      <Route>
        <AgentListPage />
      </Route>
    </Switch>
  );
}
