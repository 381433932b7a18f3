import { Pin, ShieldQuestion } from 'lucide-react';
import { Link } from 'wouter';
import type {
  FoundMemoriesShape,
  MemoryShape,
} from '../../../../src/operations/memory/memory-shapes.ts';
import { classNames } from '../../kit/class-names.ts';
import { Time } from '../../kit/time.tsx';
import { WhyLine } from './why.tsx';

export type FoundMemory = FoundMemoriesShape['results'][number];

interface MemoryRowProps {
  readonly memory: MemoryShape | FoundMemory;
  readonly to: string;
  readonly isCurrent: boolean;
}

/** One of many: enough of its text to know it again, and where it comes from. */
export function MemoryRow({ memory, to, isCurrent }: MemoryRowProps) {
  const { content, metadata, pinned, trusted } = memory;
  const why = 'why' in memory ? memory.why : undefined;
  return (
    <Link
      href={to}
      aria-current={isCurrent ? 'true' : undefined}
      className={classNames(
        'block border-b border-line border-l-2 px-3 py-2.5 -outline-offset-2',
        isCurrent ? 'border-l-accent bg-accent-soft' : 'border-l-transparent hover:bg-sunken/60',
      )}
    >
      <div className="flex items-start gap-2">
        <span className="line-clamp-2 min-w-0 flex-1 break-words">{content}</span>
        {pinned ? (
          <Pin role="img" aria-label="Pinned" className="mt-0.5 size-4 text-accent" />
        ) : null}
        {trusted ? null : (
          <ShieldQuestion
            role="img"
            aria-label="Not trusted"
            className="mt-0.5 size-4 shrink-0 text-wait"
          />
        )}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <span>{metadata.agent_id}</span>
        <span aria-hidden>·</span>
        <span className="max-w-40 truncate">{metadata.project_id}</span>
        <span aria-hidden>·</span>
        <span>{metadata.source}</span>
        <span aria-hidden>·</span>
        <Time at={metadata.timestamp} />
        {metadata.tags.map((tag) => (
          <span key={tag} className="max-w-32 truncate rounded bg-sunken px-1.5">
            {tag}
          </span>
        ))}
      </div>
      {why === undefined ? null : (
        <div className="mt-1.5">
          <WhyLine why={why} />
        </div>
      )}
    </Link>
  );
}
