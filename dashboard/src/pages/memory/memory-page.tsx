import { Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { searchMemory } from '../../../../src/operations/memory/memory.ts';
import { useRead } from '../../api/use-operation.ts';
import { LinkButton } from '../../kit/button.tsx';
import { classNames } from '../../kit/class-names.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { AddMemory } from './add-memory.tsx';
import { EmbeddingProgress } from './embedding-progress.tsx';
import { toQuery, useMemoryAddress } from './memory-address.ts';
import { MemoryDetail } from './memory-detail.tsx';
import { MemoryFilters } from './memory-filters.tsx';
import { FoundList, MemoryList } from './memory-list.tsx';

const MAX_FOUND = 50;

export function MemoryPage() {
  const address = useMemoryAddress();
  const { wish, id, isAdding, change, linkTo } = address;
  const [, navigate] = useLocation();
  const found = useRead(
    searchMemory,
    { query: { q: wish.q, ...toQuery(wish), limit: MAX_FOUND, explain: 'true' }, headers: {} },
    { isEnabled: wish.q !== '' },
  );
  const result = wish.q === '' ? undefined : found.data?.results.find((one) => one.id === id);
  return (
    <Page
      title="Memory"
      lead="What agents remember, word for word, with where it comes from."
      isWide
      actions={
        <LinkButton to={linkTo('new')} kind="primary" icon={Plus}>
          Add a memory
        </LinkButton>
      }
    >
      <EmbeddingProgress />
      <div
        className={classNames(
          'grid items-start gap-5',
          id !== undefined && 'lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)]',
        )}
      >
        {/* A narrow window has room for one of the two. */}
        <div className={classNames('min-w-0', id !== undefined && 'hidden lg:block')}>
          <MemoryFilters wish={wish} change={change} />
          {wish.q === '' ? (
            <MemoryList address={address} />
          ) : (
            <Loaded query={found}>
              {(data) => (
                <FoundList address={address} found={data} isOld={found.isPlaceholderData} />
              )}
            </Loaded>
          )}
        </div>
        {id === undefined ? null : <MemoryDetail key={id} address={address} id={id} why={result} />}
      </div>
      {isAdding ? (
        <AddMemory
          project={wish.project}
          onClose={() => navigate(linkTo())}
          onAdded={(added) => navigate(linkTo(added), { replace: true })}
        />
      ) : null}
    </Page>
  );
}
