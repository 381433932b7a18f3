import { BrainCircuit, SearchX } from 'lucide-react';
import { listMemory } from '../../../../src/operations/memory/memory.ts';
import type {
  FoundMemoriesShape,
  MemoryListShape,
} from '../../../../src/operations/memory/memory-shapes.ts';
import { usePages } from '../../api/use-pages.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { formatCount } from '../../kit/format.ts';
import { Skeleton } from '../../kit/loaded.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { countFilters, type MemoryAddress, toQuery } from './memory-address.ts';
import { type FoundMemory, MemoryRow } from './memory-row.tsx';

const PAGE = 100;
const ROW_PX = 72;
const FOUND_ROW_PX = 96;
const BOX = 'max-h-[max(20rem,calc(100dvh-16rem))]';

const memoriesOf = (page: MemoryListShape) => page.memories;

/** All there are, newest first. */
export function MemoryList({ address }: { readonly address: MemoryAddress }) {
  const { wish, id, linkTo } = address;
  const { items, isLoaded, error, hasMore, isLoadingMore, loadMore, reload } = usePages(
    listMemory,
    {
      query: {
        ...toQuery(wish),
        ...(wish.pinned === 'true' ? { pinned: 'true' as const } : {}),
        limit: PAGE,
      },
      headers: {},
    },
    memoriesOf,
  );
  const note = error === null ? null : <ErrorNote error={error} onRetry={reload} />;
  if (!isLoaded) return note ?? <Skeleton rows={6} />;
  if (items.length === 0 && !hasMore) return note ?? <NoMemories address={address} />;
  return (
    <>
      {note}
      <VirtualList
        label="Memories"
        items={items}
        keyOf={(memory) => memory.id}
        rowHeight={ROW_PX}
        onEnd={loadMore}
        className={BOX}
      >
        {(memory) => (
          <MemoryRow memory={memory} to={linkTo(memory.id)} isCurrent={memory.id === id} />
        )}
      </VirtualList>
      <p role="status" className="mt-1 text-xs text-muted">
        {isLoadingMore
          ? 'Loading more…'
          : `${formatCount(items.length)}${hasMore ? ' so far' : ''} ${wish.as === '' ? 'that everybody sees' : 'that this agent sees'}`}
      </p>
    </>
  );
}

interface FoundListProps {
  readonly address: MemoryAddress;
  readonly found: FoundMemoriesShape;
  /** Of the question before, while the answer to this one comes. */
  readonly isOld: boolean;
}

/** The best first, each with its reasons. */
export function FoundList({ address, found, isOld }: FoundListProps) {
  const { id, linkTo } = address;
  if (found.results.length === 0) return <NothingFound address={address} />;
  return (
    <div aria-busy={isOld} className={isOld ? 'opacity-60' : undefined}>
      {found.degraded ? (
        <p className="mb-2 rounded-lg bg-wait-soft px-3 py-2 text-sm text-wait">
          By words alone: the embedder did not answer in time.
        </p>
      ) : null}
      <VirtualList
        label="Found memories"
        items={found.results}
        keyOf={(memory: FoundMemory) => memory.id}
        rowHeight={FOUND_ROW_PX}
        className={BOX}
      >
        {(memory) => (
          <MemoryRow memory={memory} to={linkTo(memory.id)} isCurrent={memory.id === id} />
        )}
      </VirtualList>
      <p role="status" className="mt-1 text-xs text-muted">
        The {found.results.length} that fit best
      </p>
    </div>
  );
}

function NoMemories({ address: { wish, linkTo } }: { readonly address: MemoryAddress }) {
  if (countFilters(wish) > 0) {
    return (
      <Empty icon={SearchX} title="No memory is like that">
        <p>Take a filter away. What an agent keeps to itself is seen through “Seen by”.</p>
      </Empty>
    );
  }
  return (
    <Empty icon={BrainCircuit} title="Nothing is remembered yet">
      <p>
        Agents remember what they are told to, in a chat: “remember that …”. You can add what they
        should know yourself.
      </p>
      <LinkButton to={linkTo('new')} kind="primary">
        Add a memory
      </LinkButton>
    </Empty>
  );
}

function NothingFound({ address: { wish } }: { readonly address: MemoryAddress }) {
  return (
    <Empty icon={SearchX} title={`Nothing is known about “${wish.q}”`}>
      <p>
        {countFilters(wish) > 0
          ? 'Take a filter away, or ask in other words.'
          : 'Ask in other words. What an agent keeps to itself is seen through the filter “Seen by”.'}
      </p>
    </Empty>
  );
}
