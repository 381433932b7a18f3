import { useLocation } from 'wouter';
import { Page, Section } from '../../kit/page.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { ConfigForm } from './config-form.tsx';
import { ModelProviders } from './model-providers.tsx';
import { Providers } from './providers.tsx';
import { Secrets } from './secrets.tsx';

const SECTIONS = {
  config: <ConfigForm />,
  providers: <Services />,
  secrets: <Secrets />,
} as const;

/** Everything outside that this runtime needs a key or an address for. */
function Services() {
  return (
    <div className="grid gap-6">
      <Section title="Providers of models">
        <ModelProviders />
      </Section>
      <Section title="Other services">
        <Providers />
      </Section>
    </div>
  );
}

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
