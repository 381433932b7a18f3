import { Page } from '../../kit/page.tsx';

export function KnowledgePage() {
  return <Page title="Knowledge">{null}</Page>;
}
