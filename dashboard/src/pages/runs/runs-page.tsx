import { Route, Switch } from 'wouter';
import { ComparePage } from './compare/compare-page.tsx';
import { RunPage } from './detail/run-page.tsx';
import { RunListPage } from './list/run-list-page.tsx';

export function RunsPage() {
  return (
    <Switch>
      <Route path="/runs" component={RunListPage} />
      <Route path="/runs/compare" component={ComparePage} />
      <Route path="/runs/:id">{({ id }) => <RunPage key={id} runId={id} />}</Route>
    </Switch>
  );
}
