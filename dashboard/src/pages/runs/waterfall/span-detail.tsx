import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { Card } from '../../../kit/page.tsx';
import { StateBadge } from '../../../kit/state-badge.tsx';
import { writeView } from '../detail/run-view.ts';
import type { Span, Timeline } from '../timeline/span.ts';
import { ModelDetail } from './model-detail.tsx';
import { ToolDetail } from './tool-detail.tsx';
import { SPAN_STATES } from './waterfall-row.tsx';

export interface SpanDetailProps {
  readonly span: Span;
  readonly timeline: Timeline;
  readonly run: RunDetail;
  readonly nowMs: number;
}

/** All that is known of the selected bar. */
export function SpanDetail(props: SpanDetailProps) {
  const { span, timeline, run, nowMs } = props;
  const search = useSearch();
  const { state, word } = SPAN_STATES[span.state];
  const title = span.kind === 'model' ? `Turn ${span.turn}` : span.tool;
  return (
    <section aria-label={`Details of ${title}`} className="min-w-0">
      <Card className="p-0">
        <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
          <h2 className="min-w-0 truncate font-semibold">{title}</h2>
          <StateBadge state={state}>{word}</StateBadge>
        </header>
        <div className="space-y-4 p-4 text-sm xl:max-h-[62dvh] xl:overflow-y-auto" tabIndex={-1}>
          {span.kind === 'model' ? (
            <ModelDetail span={span} timeline={timeline} nowMs={nowMs} runId={run.id} />
          ) : (
            <ToolDetail span={span} nowMs={nowMs} />
          )}
          <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-3">
            <Go to={`/runs/${run.id}${writeView(search, { tab: 'events', seq: span.firstSeq })}`}>
              {span.lastSeq === span.firstSeq
                ? `Event ${span.firstSeq}`
                : `Events ${span.firstSeq} to ${span.lastSeq}`}
            </Go>
            {span.kind === 'model' ? (
              <Go to={`/runs/${run.id}${writeView(search, { tab: 'prompt', turn: span.turn })}`}>
                Prompt as the model saw it
              </Go>
            ) : null}
          </p>
        </div>
      </Card>
    </section>
  );
}

export function Go({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link href={to} className="text-accent-ink underline underline-offset-2">
      {children}
    </Link>
  );
}

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Names and values below each other; what is not known is left out. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1">
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <h3 className="mb-1 font-medium">{title}</h3>
      {children}
    </section>
  );
}
