import { Page } from '../../kit/page.tsx';

export function MemoryPage() {
  return <Page title="Memory">{null}</Page>;
}
