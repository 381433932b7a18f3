import { Page } from '../../kit/page.tsx';

export function SecurityPage() {
  return <Page title="Security">{null}</Page>;
}
