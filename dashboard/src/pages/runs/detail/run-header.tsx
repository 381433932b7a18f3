import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { Id } from '../../../kit/copy.tsx';
import { formatCount, formatDuration, formatMoney } from '../../../kit/format.ts';
import { RunBadge } from '../../../kit/state-badge.tsx';
import { Time } from '../../../kit/time.tsx';
import type { Timeline } from '../timeline/span.ts';
import { sumUp } from './sum-up.ts';
import { describeEnd } from './why-ended.ts';

interface RunHeaderProps {
  readonly run: RunDetail;
  readonly timeline: Timeline;
  readonly nowMs: number;
}

/** What matters first: how it stands, whose it is, what it took, and why it ended. */
export function RunHeader({ run, timeline, nowMs }: RunHeaderProps) {
  return (
    <div className="mb-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <RunBadge status={timeline.outcome?.status || run.status} />
        <Fact label="Agent" to={`/agents/${encodeURIComponent(run.agent_id)}`}>
          {run.agent_id}
        </Fact>
        {run.session_id === undefined ? null : (
          <Fact label="Session" to={`/chat/${encodeURIComponent(run.session_id)}`}>
            {run.session_id}
          </Fact>
        )}
        {run.project_id === undefined ? null : (
          <Fact label="Project" to={`/projects/${encodeURIComponent(run.project_id)}`}>
            {run.project_id}
          </Fact>
        )}
        {run.forked_from === undefined ? null : (
          <Fact
            label="Forked from"
            to={`/runs/${run.forked_from.run_id}?tab=events&seq=${run.forked_from.seq}`}
          >
            {run.forked_from.run_id}, event {run.forked_from.seq}
          </Fact>
        )}
        <Fact label="From">{run.source}</Fact>
        <span className="text-muted">
          <Time at={run.created_at} />
        </span>
        <Id value={run.id} chars={30} />
      </div>
      <Totals run={run} timeline={timeline} nowMs={nowMs} />
      <WhyEnded run={run} />
    </div>
  );
}

interface FactProps {
  readonly label: string;
  readonly to?: string;
  readonly children: ReactNode;
}

function Fact({ label, to, children }: FactProps) {
  return (
    <span className="inline-flex max-w-full min-w-0 gap-1.5">
      <span className="shrink-0 text-muted">{label}</span>
      {to === undefined ? (
        <span className="truncate">{children}</span>
      ) : (
        <Link href={to} className="truncate text-accent-ink underline-offset-2 hover:underline">
          {children}
        </Link>
      )}
    </span>
  );
}

/** While it goes on, by its events; the row of the run follows behind. */
function Totals({ run, timeline, nowMs }: RunHeaderProps) {
  const { turns, calls, inputTokens, outputTokens, cachedTokens, costUsd } = sumUp(timeline);
  const model = run.model === '' ? '–' : `${run.provider}/${run.model}`;
  const tokens = `${formatCount(inputTokens)} in · ${formatCount(outputTokens)} out`;
  return (
    <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
      <Total label="Duration">{formatDuration((timeline.endMs ?? nowMs) - timeline.startMs)}</Total>
      <Total label="Model">{model}</Total>
      <Total label="Turns">{formatCount(turns)}</Total>
      <Total label="Tool calls">{formatCount(calls)}</Total>
      <Total label="Tokens">
        {tokens}
        {cachedTokens === 0 ? '' : ` · ${formatCount(cachedTokens)} cached`}
      </Total>
      <Total label="Cost">{costUsd === null ? 'unknown' : formatMoney(costUsd)}</Total>
    </dl>
  );
}

function Total({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="truncate font-medium tabular-nums">{children}</dd>
    </div>
  );
}

function WhyEnded({ run }: { readonly run: RunDetail }) {
  const why = describeEnd(run);
  if (why === undefined) return null;
  const isBad = run.status === 'failed';
  return (
    <div
      className={`mt-3 flex items-start gap-2 rounded-lg px-3 py-2 text-sm ${isBad ? 'bg-bad-soft' : 'bg-off-soft'}`}
    >
      <CircleAlert
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${isBad ? 'text-bad' : 'text-off'}`}
      />
      <p className="min-w-0 break-words">
        <strong className="font-medium">{why.words}</strong> <code>{why.code}</code>
        {why.nextStep === '' ? null : <span className="block text-muted">{why.nextStep}</span>}
      </p>
    </div>
  );
}
