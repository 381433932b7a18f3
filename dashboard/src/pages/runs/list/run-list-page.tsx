import { ArrowDown, GitCompareArrows, SquareActivity } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { RunSummary } from '../../../../../src/operations/runs/run-shapes.ts';
import { Button, LinkButton } from '../../../kit/button.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Skeleton } from '../../../kit/loaded.tsx';
import { Page } from '../../../kit/page.tsx';
import { useShortcut } from '../../../kit/shortcuts.ts';
import { useExactSearch } from '../../../kit/use-exact-params.ts';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import {
  isNarrowed,
  NO_FILTERS,
  type RunFilters,
  readFilters,
  writeFilters,
} from './run-filters.ts';
import { RunFiltersBar } from './run-filters-bar.tsx';
import { RunListHead, RunRow } from './run-row.tsx';
import { MAX_ROWS, type RunRows } from './run-rows.ts';
import { useRunList } from './use-run-list.ts';

/** With the line below. */
const ROW_HEIGHT = 57;
const NARROW_ROW_HEIGHT = 77;
const isNarrow = () => !matchMedia('(min-width: 48rem)').matches;

/** All runs, newest first, as they come. */
export function RunListPage() {
  const search = useExactSearch();
  const [, navigate] = useLocation();
  const filters = readFilters(search);
  const { rows, error, load, loadMore, isLoadingMore, unreadable } = useRunList(filters);
  const isBare = rows !== undefined && rows.runs.length === 0 && rows.next !== null;
  useEffect(() => {
    if (isBare) void loadMore();
  }, [isBare, loadMore]);
  const narrow = (next: RunFilters) => navigate(`/runs${writeFilters(next)}`);
  return (
    <Page title="Runs" lead="Everything that agents were asked to do, and what came of it." isWide>
      <RunFiltersBar filters={filters} onChange={narrow} />
      {error === undefined ? null : (
        <ErrorNote
          error={error}
          isStale={rows !== undefined}
          onRetry={() => void load(undefined)}
        />
      )}
      <Damaged count={unreadable.size} />
      {rows === undefined ? (
        error === undefined ? (
          <Skeleton rows={10} />
        ) : null
      ) : rows.runs.length === 0 && rows.next === null ? (
        <NoRuns filters={filters} onClear={() => narrow(NO_FILTERS)} />
      ) : (
        <Rows
          rows={rows}
          search={writeFilters(filters)}
          isLoadingMore={isLoadingMore}
          onEnd={loadMore}
        />
      )}
    </Page>
  );
}

/** They are there, and nobody can say what they are. */
function Damaged({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <p role="alert" className="mb-3 rounded-lg bg-bad-soft px-3 py-2 text-sm">
      {formatCount(count)} {count === 1 ? 'run' : 'runs'} can't be read: the stored rows are
      damaged. <code>claw doctor</code> tells more.
    </p>
  );
}

function NoRuns(props: { readonly filters: RunFilters; readonly onClear: () => void }) {
  if (isNarrowed(props.filters)) {
    return (
      <Empty icon={SquareActivity} title="No run matches">
        <p>
          There may be others with another text, status, agent, source, session or project, or of
          another time.
        </p>
        <Button onClick={props.onClear}>Show all runs</Button>
      </Empty>
    );
  }
  return (
    <Empty icon={SquareActivity} title="Nothing has run yet">
      <p>
        A run begins when somebody asks an agent for something, here, by the API or by a schedule.
      </p>
      <LinkButton to="/chat" kind="primary">
        Ask an agent
      </LinkButton>
    </Empty>
  );
}

interface RowsProps {
  readonly rows: RunRows;
  readonly search: string;
  readonly isLoadingMore: boolean;
  readonly onEnd: () => Promise<void>;
}

function Rows({ rows, search, isLoadingMore, onEnd }: RowsProps) {
  const { runs, next } = rows;
  const [current, move] = useMovable(runs);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const pick = (id: string, isPicked: boolean) =>
    setPicked(isPicked ? [...picked, id].slice(-2) : picked.filter((one) => one !== id));
  const end = useCallback(() => void onEnd(), [onEnd]);
  useShortcut('j', 'Next run', () => move(1));
  useShortcut('k', 'Previous run', () => move(-1));
  useShortcut('ArrowDown', 'Next run', () => move(1));
  useShortcut('ArrowUp', 'Previous run', () => move(-1));
  return (
    <>
      <RunListHead />
      <VirtualList
        label="Runs"
        items={runs}
        keyOf={({ id }) => id}
        rowHeight={isNarrow() ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
        onEnd={end}
        current={current}
        className="max-h-[calc(100dvh-18rem)] md:rounded-t-none"
      >
        {(run, at) => (
          <RunRow
            run={run}
            to={`/runs/${run.id}${search}`}
            isCurrent={at === current}
            isPicked={picked.includes(run.id)}
            onPick={(isPicked) => pick(run.id, isPicked)}
          />
        )}
      </VirtualList>
      <footer className="mt-2 flex min-h-9 flex-wrap items-center gap-3 text-sm text-muted">
        <span role="status">
          {formatCount(runs.length)} {runs.length === 1 ? 'run' : 'runs'}
          {next === null ? '' : ' so far'}
          {runs.length >= MAX_ROWS ? '; narrow the list to see older ones' : ''}
        </span>
        {next === null || runs.length >= MAX_ROWS ? null : (
          <Button size="small" kind="quiet" icon={ArrowDown} isBusy={isLoadingMore} onClick={end}>
            Older runs
          </Button>
        )}
        <Compare picked={picked} />
      </footer>
    </>
  );
}

function Compare({ picked }: { readonly picked: readonly string[] }) {
  const [a, b] = picked;
  if (a === undefined) return null;
  if (b === undefined) return <span className="ml-auto">Pick another run to compare it with.</span>;
  return (
    <span className="ml-auto">
      <LinkButton to={`/runs/compare?a=${a}&b=${b}`} size="small" icon={GitCompareArrows}>
        Compare the two
      </LinkButton>
    </span>
  );
}

/** The row that somebody went to by keys. It stays the same run when others come in above it. */
function useMovable(runs: readonly RunSummary[]) {
  const [id, setId] = useState<string>();
  const at = id === undefined ? -1 : runs.findIndex((run) => run.id === id);
  const move = (step: number) => {
    const next = Math.min(Math.max(at + step, 0), runs.length - 1);
    const target = runs[next]?.id;
    setId(target);
    // Its row is drawn by then; Enter opens it.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-run="${target}"]`)?.focus({ preventScroll: true }),
    );
  };
  return [at === -1 ? undefined : at, move] as const;
}
