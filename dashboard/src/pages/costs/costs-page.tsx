import { Page } from '../../kit/page.tsx';

export function CostsPage() {
  return <Page title="Costs">{null}</Page>;
}
