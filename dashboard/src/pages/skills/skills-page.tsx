import { Route, Switch, useLocation, useRoute } from 'wouter';
import { Page } from '../../kit/page.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { SkillList } from './skill/skill-list.tsx';
import { SkillPage } from './skill/skill-page.tsx';
import { ToolSpecs } from './skill/tool-specs.tsx';
import { WorkerList } from './worker/worker-list.tsx';
import { WorkerPage } from './worker/worker-page.tsx';

/** `/skills`, `/skills/specs`, `/skills/workers`, `/skills/workers/codexw_1`, `/skills/of/release-notes/1`. */
export function SkillsPage() {
  return (
    <Switch>
      <Route path="/skills/of/:skillId/:version">
        {({ skillId, version }) => (
          <SkillPage key={`${skillId}@${version}`} skillId={skillId} version={Number(version)} />
        )}
      </Route>
      <Route path="/skills/workers/:workerId">
        {({ workerId }) => <WorkerPage key={workerId} workerId={workerId} />}
      </Route>
      <Route>
        <Lists />
      </Route>
    </Switch>
  );
}

const SECTIONS = {
  skills: <SkillList />,
  workers: <WorkerList />,
  specs: <ToolSpecs />,
} as const;

function Lists() {
  const [, navigate] = useLocation();
  const [, params] = useRoute('/skills/:section?');
  const section = params?.section ?? 'skills';
  const current = Object.hasOwn(SECTIONS, section) ? (section as keyof typeof SECTIONS) : 'skills';
  return (
    <Page
      title="Skills & workers"
      lead="What agents were taught, by whom it is vouched for, and programs that work for users of a product."
    >
      <Tabs
        label="Skills and workers"
        current={current}
        onChange={(id) => navigate(id === 'skills' ? '/skills' : `/skills/${id}`)}
        tabs={[
          { id: 'skills', label: 'Skills' },
          { id: 'workers', label: 'Workers' },
          { id: 'specs', label: 'Tool specs' },
        ]}
      >
        {SECTIONS[current]}
      </Tabs>
    </Page>
  );
}
