import { Link } from 'wouter';
import { isTerminal } from '../../../../../src/core/runs/run.ts';
import type { RunSummary } from '../../../../../src/operations/runs/run-shapes.ts';
import { classNames } from '../../../kit/class-names.ts';
import { formatDuration, formatMoney, formatShort } from '../../../kit/format.ts';
import { runState, StateIcon } from '../../../kit/state-badge.tsx';
import { Time } from '../../../kit/time.tsx';
import { useNowMs } from '../detail/use-timeline.ts';
import { describeEnd } from '../detail/why-ended.ts';
import { tokensOf } from './run-figures.ts';

const COLUMNS = 'md:grid-cols-[minmax(0,1fr)_5.5rem_5rem_5rem_7.5rem]';

/** Names of the columns, where there is room for columns. */
export function RunListHead() {
  return (
    <div
      aria-hidden
      className={classNames(
        'hidden rounded-t-lg border border-b-0 border-line bg-surface py-2 pr-3 pl-[3.875rem] text-sm text-muted md:grid md:gap-4',
        COLUMNS,
      )}
    >
      <span>Run</span>
      <span className="text-right">Duration</span>
      <span className="text-right">Tokens</span>
      <span className="text-right">Cost</span>
      <span className="text-right">When</span>
    </div>
  );
}

interface RunRowProps {
  readonly run: RunSummary;
  readonly to: string;
  readonly isCurrent: boolean;
  readonly isPicked: boolean;
  readonly onPick: (isPicked: boolean) => void;
}

export function RunRow({ run, to, isCurrent, isPicked, onPick }: RunRowProps) {
  return (
    <div
      className={classNames(
        'flex items-stretch border-b border-line',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-sunken/60',
      )}
    >
      <label className="flex w-9 shrink-0 items-center justify-center">
        <input
          type="checkbox"
          aria-label={`Pick ${run.id} to compare`}
          checked={isPicked}
          onChange={(event) => onPick(event.target.checked)}
          className="size-4 accent-accent"
        />
      </label>
      <Link
        href={to}
        data-run={run.id}
        className="flex h-19 min-w-0 flex-1 items-center gap-3 pr-3 -outline-offset-2 md:h-14"
      >
        <StateIcon state={runState(run.status)} label={run.status} />
        <span className={classNames('grid min-w-0 flex-1 md:items-center md:gap-4', COLUMNS)}>
          <span className="min-w-0">
            <span className="block truncate">{run.message}</span>
            <Who run={run} />
          </span>
          <RunFigures run={run} />
        </span>
      </Link>
    </div>
  );
}

/** Who did it with what; why it ended, where that is more worth knowing. */
function Who({ run }: { readonly run: RunSummary }) {
  const why = describeEnd(run);
  return (
    <span className="block truncate text-sm text-muted">
      {run.agent_id}
      {run.model === '' ? '' : ` · ${run.provider}/${run.model}`}
      {run.tool_calls === 0
        ? ''
        : ` · ${run.tool_calls} ${run.tool_calls === 1 ? 'call' : 'calls'}`}
      {why === undefined || run.stop_reason === 'cancelled' ? null : (
        <span className="text-bad"> · {why.words}</span>
      )}
    </span>
  );
}

function RunFigures({ run }: { readonly run: RunSummary }) {
  const isOver = isTerminal(run.status);
  const figure = 'text-sm tabular-nums md:text-right';
  return (
    <span className="flex gap-x-3 overflow-hidden whitespace-nowrap text-muted md:contents md:text-ink">
      <span className={figure}>
        {isOver ? formatDuration(run.duration_ms) : <Elapsed since={run.created_at} />}
      </span>
      <span className={figure}>
        {/* What it takes is added up when it ends. */}
        {isOver ? formatShort(tokensOf(run)) : '–'}
        <span className="md:hidden"> tokens</span>
      </span>
      <span className={figure}>{isOver ? formatMoney(run.usage.cost_usd) : '–'}</span>
      <span className={classNames(figure, 'md:text-muted')}>
        <Time at={run.created_at} />
      </span>
    </span>
  );
}

const TICK_MS = 1_000;

/** Of a run that goes on. */
function Elapsed({ since }: { readonly since: string }) {
  const nowMs = useNowMs(true, TICK_MS);
  return formatDuration(Math.max(0, nowMs - Date.parse(since)));
}
