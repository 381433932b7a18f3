import { useLocation } from 'wouter';
import { Page } from '../../kit/page.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { ConfigForm } from './config-form.tsx';
import { Providers } from './providers.tsx';
import { Secrets } from './secrets.tsx';

const SECTIONS = {
  config: <ConfigForm />,
  providers: <Providers />,
  secrets: <Secrets />,
} as const;

export function SettingsPage() {
  const [location, navigate] = useLocation();
  const [, , section = 'config'] = location.split('/');
  const current = Object.hasOwn(SECTIONS, section) ? (section as keyof typeof SECTIONS) : 'config';
  return (
    <Page title="Settings" lead="What can be set, what it is now, and what waits for a restart.">
      <Tabs
        label="Settings"
        current={current}
        onChange={(id) => navigate(id === 'config' ? '/settings' : `/settings/${id}`)}
        tabs={[
          { id: 'config', label: 'Configuration' },
          { id: 'providers', label: 'Services' },
          { id: 'secrets', label: 'Secrets' },
        ]}
      >
        {SECTIONS[current]}
      </Tabs>
    </Page>
  );
}
