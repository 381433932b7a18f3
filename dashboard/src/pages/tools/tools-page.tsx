import { Page } from '../../kit/page.tsx';

export function ToolsPage() {
  return <Page title="Tools">{null}</Page>;
}
