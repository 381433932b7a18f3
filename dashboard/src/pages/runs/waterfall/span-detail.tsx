import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { Card } from '../../../kit/page.tsx';
import { StateBadge } from '../../../kit/state-badge.tsx';
import { useExactSearch } from '../../../kit/use-exact-params.ts';
import { writeView } from '../detail/run-view.ts';
import type { Span, Timeline } from '../timeline/span.ts';
import { Go } from './detail-parts.tsx';
import { ModelDetail } from './model-detail.tsx';
import { SPAN_STATES } from './span-states.ts';
import { ToolDetail } from './tool-detail.tsx';

interface SpanDetailProps {
  readonly span: Span;
  readonly timeline: Timeline;
  readonly run: RunDetail;
  readonly nowMs: number;
}

/** All that is known of the selected bar. */
export function SpanDetail(props: SpanDetailProps) {
  const { span, timeline, run, nowMs } = props;
  const search = useExactSearch();
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
