import { Page } from '../../kit/page.tsx';
import { Budgets } from './budgets.tsx';
import { KillSwitch } from './kill-switch.tsx';
import { Spending } from './spending.tsx';

export function CostsPage() {
  return (
    <Page
      title="Costs"
      lead="What agents spent, what they may spend, and the way to stop everything."
    >
      <Spending />
      <Budgets />
      <KillSwitch />
    </Page>
  );
}
