import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { readStats } from '../../../../src/operations/memory/memory.ts';
import type { MemoryStatsShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { formatCount } from '../../kit/format.ts';
import { StateIcon } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';

const BUSY_MS = 1_000;
const QUIET_MS = 10_000;

/** How many there are, and how far they are found by meaning. Moves while there is something to do. */
export function EmbeddingProgress() {
  const [isBusy, setIsBusy] = useState(false);
  const { data } = useRead(readStats, {}, { everyMs: isBusy ? BUSY_MS : QUIET_MS });
  const pending = data?.pending_embeddings ?? 0;
  useEffect(() => setIsBusy(pending > 0), [pending]);
  if (data === undefined) return <div className="mb-4 h-6" />;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span className="tabular-nums">
        {formatCount(data.chunks)} {data.chunks === 1 ? 'memory' : 'memories'}
      </span>
      <EmbeddingState stats={data} />
    </div>
  );
}

function EmbeddingState({ stats }: { readonly stats: MemoryStatsShape }) {
  const { model, pending_embeddings: pending, chunks, embedded, texts_per_second: speed } = stats;
  if (model === null) {
    return (
      <span>
        Found by their words alone: no embedder is chosen.{' '}
        <Link href="/settings" className="text-accent-ink underline">
          Choose one
        </Link>
      </span>
    );
  }
  if (stats.degraded) {
    return (
      <span className="flex min-w-0 flex-wrap items-center gap-1.5">
        <StateIcon state="bad" label="The embedder does not answer" />
        <span className="min-w-0 break-words">
          The embedder does not answer{tellReason(stats.embedding_error)} Words alone decide.
        </span>
        {stats.retry_at === null ? null : (
          <span>
            Tried again <Time at={stats.retry_at} />.
          </span>
        )}
      </span>
    );
  }
  if (pending === 0) {
    return (
      <span className="flex items-center gap-1.5">
        <StateIcon state="ok" label="Done" /> all found by meaning too, with {model}
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      <progress
        aria-label="Embedded"
        value={embedded}
        max={chunks}
        className="h-1.5 w-40 overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
      <span className="tabular-nums">
        {formatCount(embedded)} found by meaning, {formatCount(pending)} to go
        {speed === null ? '' : `, ${formatCount(Math.round(speed))} a second`}
      </span>
    </span>
  );
}

function tellReason(error: string | null): string {
  return error === null ? '.' : `: ${error}.`;
}
