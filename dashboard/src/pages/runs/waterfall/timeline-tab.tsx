import { ChartGantt } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Empty } from '../../../kit/empty.tsx';
import { Check } from '../../../kit/fields.tsx';
import { Skeleton } from '../../../kit/loaded.tsx';
import type { RunTabProps } from '../detail/run-tab-props.ts';
import { createScale, isMostlyIdle } from '../timeline/time-scale.ts';
import { Legend } from './legend.tsx';
import { SpanDetail } from './span-detail.tsx';
import { Waterfall } from './waterfall.tsx';
import { findSelected, toRows } from './waterfall-rows.ts';

/** Turns and calls over time, and all about the one that is selected. */
export function TimelineTab({ run, followed, timeline, nowMs, view, change }: RunTabProps) {
  const { spans, lastSeq } = timeline;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [choice, setChoice] = useState<boolean>();
  // The clock here and there differ by a little: what was told has happened.
  const latestMs = Math.max(nowMs, timeline.endMs ?? 0);
  const isSqueezed = choice ?? isMostlyIdle(timeline, latestMs);
  const scale = createScale(timeline, { nowMs: latestMs, isSqueezed });
  const rows = useMemo(() => toRows(spans, folded), [spans, folded]);
  const selected = findSelected(spans, view.span);
  if (lastSeq === 0 && followed.state === 'loading') return <Skeleton rows={6} />;
  if (spans.length === 0) {
    return (
      <Empty icon={ChartGantt} title="Nothing has been asked or called">
        {timeline.endMs === undefined
          ? 'The first turn appears here when it begins.'
          : 'The run ended before its first turn. Its events tell more.'}
      </Empty>
    );
  }
  const fold = (id: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(id);
    else next.delete(id);
    setFolded(next);
  };
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_23rem] 2xl:grid-cols-[minmax(0,1fr)_30rem] xl:items-start xl:gap-5">
      <div className="min-w-0">
        <Waterfall
          rows={rows}
          timeline={timeline}
          scale={scale}
          nowMs={latestMs}
          selectedId={selected?.id}
          isChosen={view.span !== undefined}
          onSelect={(span) => change({ span }, { replace: true })}
          onFold={fold}
        />
        <div className="mt-2 mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <Legend />
          <Check
            label="Shorten waits"
            checked={isSqueezed}
            onChange={(event) => setChoice(event.target.checked)}
          />
        </div>
      </div>
      {selected === undefined ? null : (
        <SpanDetail key={selected.id} {...{ span: selected, timeline, run, nowMs: latestMs }} />
      )}
    </div>
  );
}
