import { Lightbulb, SearchX } from 'lucide-react';
import { useState } from 'react';
import { listFacts } from '../../../../src/operations/knowledge/knowledge.ts';
import type {
  FactListShape,
  FactShape,
} from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { usePages } from '../../api/use-pages.ts';
import { useAgentName } from '../../kit/agent-select.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Check, SearchInput } from '../../kit/fields.tsx';
import { Skeleton } from '../../kit/loaded.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { AddFact } from './add-fact.tsx';
import { FactRow } from './fact-row.tsx';
import type { KnowledgeAddress } from './knowledge-address.ts';
import { RemoveFact } from './remove-fact.tsx';

interface FactsTabProps {
  readonly address: KnowledgeAddress;
  readonly project: string;
}

const PAGE = 100;
const ROW_PX = 58;

const factsOf = (page: FactListShape) => page.facts;

/** What holds now, or held: found, added and taken back. */
export function FactsTab({ address, project }: FactsTabProps) {
  const { as, q, withPast, change } = address;
  const [text, setText] = useTyped(q, (next) => change({ q: next.trim() }));
  const nameOf = useAgentName();
  const [doomed, setDoomed] = useState<FactShape>();
  const { items, isLoaded, error, loadMore, reload } = usePages(
    listFacts,
    {
      query: {
        project_id: project,
        limit: PAGE,
        ...(as === '' ? {} : { agent_id: as }),
        ...(q === '' ? {} : { q }),
        ...(withPast ? { include_past: 'true' as const } : {}),
      },
      headers: {},
    },
    factsOf,
  );
  return (
    <>
      <AddFact key={project} project={project} />
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <SearchInput label="Search facts" value={text} onChange={setText} />
        <Check
          label="Also what no longer holds"
          checked={withPast}
          onChange={(event) => change({ past: event.target.checked ? 'true' : '' })}
        />
      </div>
      {error === null ? null : <ErrorNote error={error} onRetry={reload} />}
      {!isLoaded && error === null ? <Skeleton rows={5} /> : null}
      {isLoaded && items.length === 0 ? <NoFacts isSearching={q !== ''} /> : null}
      {items.length === 0 ? null : (
        <VirtualList
          label="Facts"
          items={items}
          keyOf={({ fact_id }) => fact_id}
          rowHeight={ROW_PX}
          onEnd={loadMore}
          className="max-h-[max(20rem,calc(100dvh-22rem))]"
        >
          {(fact) => <FactRow fact={fact} nameOf={nameOf} onRemove={() => setDoomed(fact)} />}
        </VirtualList>
      )}
      {doomed === undefined ? null : (
        <RemoveFact fact={doomed} reader={as} onClose={() => setDoomed(undefined)} />
      )}
    </>
  );
}

function NoFacts({ isSearching }: { readonly isSearching: boolean }) {
  if (isSearching) {
    return (
      <Empty icon={SearchX} title="No fact says that">
        <p>Search for less, or among those that no longer hold.</p>
      </Empty>
    );
  }
  return (
    <Empty icon={Lightbulb} title="No facts yet">
      <p>Say one above: a subject, how it stands, and to what.</p>
    </Empty>
  );
}
