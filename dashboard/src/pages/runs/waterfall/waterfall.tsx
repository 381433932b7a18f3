import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { classNames } from '../../../kit/class-names.ts';
import { formatDuration } from '../../../kit/format.ts';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import type { TimeScale } from '../timeline/time-scale.ts';
import { WATERFALL_COLUMNS, type WaterfallProps } from './waterfall-props.ts';
import { WaterfallRowView } from './waterfall-row.tsx';

const ROW_HEIGHT = 37;
const SCROLLING_ROWS = 8;

export function Waterfall(props: WaterfallProps) {
  const { rows, scale, selectedId } = props;
  const box = useRef<HTMLDivElement>(null);
  const [trackPx, setTrackPx] = useState(600);
  // Where the rows scroll, the axis leaves as much room as their scrollbar takes.
  const gutter = rows.length > SCROLLING_ROWS ? '[scrollbar-gutter:stable]' : '';
  const at = rows.findIndex(({ span }) => span.id === selectedId);
  const press = (event: KeyboardEvent) => {
    const next = moveBy(props, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next !== at) props.onSelect(rows[next]?.span.id ?? '');
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>('[aria-pressed=true]')
        ?.focus({ preventScroll: true }),
    );
  };
  return (
    <div ref={box} role="group" aria-label="Waterfall" data-own-keys="" onKeyDown={press}>
      <Axis scale={scale} gutter={gutter} onResize={setTrackPx} />
      <VirtualList
        label="Turns and calls"
        items={rows}
        keyOf={({ span }) => span.id}
        rowHeight={ROW_HEIGHT}
        current={at === -1 || !props.isChosen ? undefined : at}
        className={classNames('max-h-[60dvh] rounded-t-none', gutter)}
      >
        {(row) => (
          <WaterfallRowView
            {...props}
            trackPx={trackPx}
            row={row}
            isSelected={row.span.id === selectedId}
          />
        )}
      </VirtualList>
    </div>
  );
}

/** Where a key leads; undefined: it means nothing here. */
function moveBy({ rows, onFold }: WaterfallProps, at: number, key: string): number | undefined {
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, rows.length - 1);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      if (row?.isFolded === true) onFold(row.span.id, false);
      return at;
    case 'ArrowLeft':
      if (row?.isFolded === false) onFold(row.span.id, true);
      if (row?.depth === 1 && row.span.kind === 'tool') {
        const { parentId } = row.span;
        return rows.findIndex(({ span }) => span.id === parentId);
      }
      return at;
    default:
      return undefined;
  }
}

interface AxisProps {
  readonly gutter: string;
  readonly scale: TimeScale;
  readonly onResize: (trackPx: number) => void;
}

/** Time since the run was created. */
function Axis({ scale: { ticks }, gutter, onResize }: AxisProps) {
  const track = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const place = track.current;
    if (place === null) return;
    const resized = new ResizeObserver(() => onResize(Math.max(place.clientWidth, 1)));
    resized.observe(place);
    return () => resized.disconnect();
  }, [onResize]);
  return (
    <div
      aria-hidden
      className={classNames(
        'overflow-hidden rounded-t-lg border border-b-0 border-line bg-surface',
        gutter,
      )}
    >
      <div className={WATERFALL_COLUMNS}>
        <span className="hidden px-3 py-1.5 text-xs text-muted md:block">Turns and calls</span>
        <span ref={track} className="relative mx-3 block h-7">
          {ticks.map(({ part, offsetMs }) => (
            <span
              key={offsetMs}
              className="absolute top-1.5 -translate-x-1/2 text-xs whitespace-nowrap text-muted tabular-nums first:translate-x-0"
              style={{ left: `${part * 100}%` }}
            >
              {offsetMs === 0 ? '0' : formatDuration(offsetMs)}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}
