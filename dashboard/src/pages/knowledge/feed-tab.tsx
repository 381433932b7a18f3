import {
  ArrowRightLeft,
  BrainCircuit,
  CheckCheck,
  Lightbulb,
  type LucideIcon,
  Newspaper,
  SquareActivity,
} from 'lucide-react';
import { Link } from 'wouter';
import { readFeed } from '../../../../src/operations/knowledge/knowledge.ts';
import type { FeedShape } from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { usePages } from '../../api/use-pages.ts';
import { useAgentName } from '../../kit/agent-select.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Skeleton } from '../../kit/loaded.tsx';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import type { KnowledgeAddress } from './knowledge-address.ts';

type Entry = FeedShape['entries'][number];

const PAGE = 50;
const ROW_PX = 64;

const KINDS: Readonly<Record<Entry['kind'], readonly [LucideIcon, string]>> = {
  handoff: [ArrowRightLeft, 'Hand-off'],
  handoff_result: [CheckCheck, 'Result of a hand-off'],
  fact: [Lightbulb, 'Fact'],
  memory: [BrainCircuit, 'Memory'],
  run: [SquareActivity, 'Run'],
};

interface FeedTabProps {
  readonly address: KnowledgeAddress;
  readonly project: string;
}

const entriesOf = (page: FeedShape) => page.entries;

/** What was learned and done, newest first. */
export function FeedTab({ address: { as }, project }: FeedTabProps) {
  const feed = usePages(
    readFeed,
    {
      query: { project_id: project, limit: PAGE, ...(as === '' ? {} : { agent_id: as }) },
      headers: {},
    },
    entriesOf,
  );
  const nameOf = useAgentName();
  const { items, isLoaded, error, loadMore, reload } = feed;
  const note = error === null ? null : <ErrorNote error={error} onRetry={reload} />;
  if (!isLoaded) return note ?? <Skeleton rows={6} />;
  if (items.length === 0) return note ?? <NoNews project={project} />;
  return (
    <>
      {note}
      <VirtualList
        label="Feed"
        items={items}
        keyOf={({ id, kind }) => `${kind} ${id}`}
        rowHeight={ROW_PX}
        onEnd={loadMore}
        className="max-h-[max(24rem,calc(100dvh-15rem))]"
      >
        {(entry) => <FeedRow entry={entry} nameOf={nameOf} />}
      </VirtualList>
    </>
  );
}

interface FeedRowProps {
  readonly entry: Entry;
  readonly nameOf: (agentId: string) => string;
}

function FeedRow({ entry, nameOf }: FeedRowProps) {
  const [Shape, label] = KINDS[entry.kind];
  const { agent_id: by, to_agent_id: to, message, timestamp } = entry;
  const place = placeOf(entry);
  return (
    <article className="flex gap-3 border-b border-line px-3 py-2.5">
      <Shape aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-3 break-words">{message}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
          {place === undefined ? (
            <span>{label}</span>
          ) : (
            <Link href={place} className="text-accent-ink underline underline-offset-2">
              {label}
            </Link>
          )}
          <span>{by === null ? 'by a person or a program' : `by ${nameOf(by)}`}</span>
          {to === undefined ? null : <span>to {nameOf(to)}</span>}
          <Time at={timestamp} />
        </p>
      </div>
    </article>
  );
}

function placeOf({ kind, id }: Entry): string | undefined {
  if (kind === 'memory') return `/memory/${encodeURIComponent(id)}`;
  return kind === 'run' ? `/runs/${encodeURIComponent(id)}` : undefined;
}

function NoNews({ project }: { readonly project: string }) {
  return (
    <Empty icon={Newspaper} title={`Nothing happened in ${project} yet`}>
      <p>Hand-offs, facts, memories that matter and runs that ended come here by themselves.</p>
      <LinkButton to="/chat">Ask an agent something</LinkButton>
    </Empty>
  );
}
