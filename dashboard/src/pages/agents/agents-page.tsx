import { Page } from '../../kit/page.tsx';

export function AgentsPage() {
  return <Page title="Agents">{null}</Page>;
}
