import { ChevronRight, ScrollText } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { listEntries } from '../../../../src/operations/audit/audit.ts';
import type {
  EntryPageShape,
  EntryQueryShape,
} from '../../../../src/operations/audit/audit-shapes.ts';
import { usePages } from '../../api/use-pages.ts';
import { classNames } from '../../kit/class-names.ts';
import { Json } from '../../kit/code-block.tsx';
import { Id } from '../../kit/copy.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Skeleton } from '../../kit/loaded.tsx';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';

type Entry = EntryPageShape['entries'][number];

const OF_EACH_PAGE = 100;

export function EntryList({ query }: { readonly query: EntryQueryShape }) {
  const asked = useDeferredValue(query);
  const pages = usePages(
    listEntries,
    { query: { ...asked, limit: OF_EACH_PAGE } },
    ({ entries }) => entries,
  );
  const [open, setOpen] = useState<string>();
  if (pages.error !== null && !pages.isLoaded)
    return <ErrorNote error={pages.error} onRetry={pages.reload} />;
  if (!pages.isLoaded) return <Skeleton rows={8} />;
  if (pages.items.length === 0 && !pages.hasMore) {
    return (
      <Empty icon={ScrollText} title="No entry fits">
        Nothing has happened yet, or the filter leaves nothing.
      </Empty>
    );
  }
  return (
    <>
      <VirtualList
        label="Entries, newest first"
        items={pages.items}
        keyOf={({ event_id }) => event_id}
        rowHeight={37}
        onEnd={pages.loadMore}
        className="h-[60dvh]"
      >
        {(entry) => (
          <EntryRow
            entry={entry}
            isOpen={entry.event_id === open}
            onToggle={() => setOpen(entry.event_id === open ? undefined : entry.event_id)}
          />
        )}
      </VirtualList>
      <p role="status" className="mt-2 text-sm text-muted">
        {`${pages.items.length.toLocaleString('en')} entries${pages.hasMore ? ', more come as you scroll' : ', that is all'}`}
      </p>
    </>
  );
}

interface EntryRowProps {
  readonly entry: Entry;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function EntryRow({ entry, isOpen, onToggle }: EntryRowProps) {
  const { event_type, ts, run_id, agent_id, actor, payload, redactions, hash } = entry;
  return (
    <div className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="grid w-full grid-cols-[1rem_8rem_1fr] items-center gap-3 px-3 py-2 text-left text-sm hover:bg-sunken sm:grid-cols-[1rem_9rem_10rem_1fr_7rem]"
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-4 text-muted', isOpen && 'rotate-90')}
        />
        <code className="truncate">{event_type}</code>
        <span className="hidden truncate text-muted sm:inline">{agent_id}</span>
        <span className="truncate text-muted">{summarize(payload)}</span>
        <span className="hidden text-right text-muted sm:inline">
          <Time at={ts} />
        </span>
      </button>
      {isOpen ? (
        <div className="space-y-3 border-t border-line bg-canvas px-3 py-3">
          <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
            <Fact name="Run">
              <Link href={`/runs/${run_id}`} className="text-accent-ink hover:underline">
                {run_id}
              </Link>
            </Fact>
            <Fact name="By">{actor}</Fact>
            <Fact name="Hash">
              <Id value={hash} />
            </Fact>
            <Fact name="Struck out">
              {redactions.length === 0 ? 'nothing' : redactions.join(', ')}
            </Fact>
          </dl>
          <Json value={payload} />
        </div>
      ) : null}
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="break-all">{children}</dd>
    </div>
  );
}

const MAX_SUMMARY = 200;

/** The first words that a person would look for. */
function summarize(payload: Entry['payload']): string {
  const texts = Object.entries(payload).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [],
  );
  return texts.join(' · ').slice(0, MAX_SUMMARY);
}
