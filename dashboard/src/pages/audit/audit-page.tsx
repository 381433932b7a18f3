import { exportEntries } from '../../../../src/operations/audit/audit.ts';
import { DownloadLink } from '../../kit/download-link.tsx';
import { Page } from '../../kit/page.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { EntryFilters } from './entry-filters.tsx';
import { EntryList } from './entry-list.tsx';
import { toQuery } from './entry-query.ts';
import { Verification } from './verification.tsx';

export function AuditPage() {
  const [parameters, setParameters] = useExactParams();
  const query = toQuery(parameters);
  return (
    <Page
      title="Audit"
      lead="Every event of every run, each chained to the one before it and signed. Secrets are struck out before anything is written."
      actions={
        <DownloadLink operation={exportEntries} input={{ query }}>
          Export
        </DownloadLink>
      }
    >
      <Verification />
      <EntryFilters parameters={parameters} onChange={setParameters} />
      <EntryList query={query} />
    </Page>
  );
}
