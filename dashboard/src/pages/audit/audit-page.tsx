import { Page } from '../../kit/page.tsx';

export function AuditPage() {
  return <Page title="Audit">{null}</Page>;
}
