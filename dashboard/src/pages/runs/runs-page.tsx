import { Page } from '../../kit/page.tsx';

export function RunsPage() {
  return <Page title="Runs">{null}</Page>;
}
