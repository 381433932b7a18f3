import { ChevronDown, ChevronRight, ListTree } from 'lucide-react';
import { useMemo, useState } from 'react';
import { EVENT_TYPES } from '../../../../../src/core/events/event.ts';
import type { RunEvent } from '../../../api/use-run-events.ts';
import { classNames } from '../../../kit/class-names.ts';
import { Json } from '../../../kit/code-block.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { Select } from '../../../kit/fields.tsx';
import { formatCount, formatExact } from '../../../kit/format.ts';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import type { RunTabProps } from '../detail/run-tab-props.ts';
import { countTypes, summarize } from './summarize-event.ts';

const ROW_HEIGHT = 33;

/** Everything that is on record of the run, as it is on record. */
export function EventsTab({ followed: { events, state }, timeline, view, change }: RunTabProps) {
  const counts = useMemo(() => countTypes(events), [events]);
  const shown = useMemo(
    () => (view.type === '' ? events : events.filter(({ event_type }) => event_type === view.type)),
    [events, view.type],
  );
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(
    new Set(view.seq === undefined ? [] : [view.seq]),
  );
  const toggle = (seq: number) => {
    const next = new Set(unfolded);
    if (!next.delete(seq)) next.add(seq);
    setUnfolded(next);
    change({ seq: next.has(seq) ? seq : undefined }, { replace: true });
  };
  // Only where the address led to: whoever unfolds something is there already.
  const [start] = useState(view.seq);
  const current = start === undefined ? -1 : shown.findIndex(({ seq }) => seq === start);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-3 text-sm text-muted">
        <div className="w-60">
          <Select
            aria-label="Type of event"
            value={view.type}
            onChange={(event) => change({ type: event.target.value })}
          >
            <option value="">All types</option>
            {EVENT_TYPES.filter((type) => counts.has(type) || type === view.type).map((type) => (
              <option key={type} value={type}>
                {type} ({formatCount(counts.get(type) ?? 0)})
              </option>
            ))}
          </Select>
        </div>
        <span role="status">
          {formatCount(shown.length)} {shown.length === 1 ? 'event' : 'events'}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty icon={ListTree} title="No such event">
          The run has none of this type so far.
        </Empty>
      ) : (
        <VirtualList
          label="Events"
          items={shown}
          keyOf={({ seq }) => String(seq)}
          rowHeight={ROW_HEIGHT}
          current={current === -1 ? undefined : current}
          isFollowing={state === 'live' && start === undefined}
          className="max-h-[70dvh]"
        >
          {(event) => (
            <EventRow
              event={event}
              startMs={timeline.startMs}
              isUnfolded={unfolded.has(event.seq)}
              onToggle={() => toggle(event.seq)}
            />
          )}
        </VirtualList>
      )}
    </>
  );
}

interface EventRowProps {
  readonly event: RunEvent;
  readonly startMs: number;
  readonly isUnfolded: boolean;
  readonly onToggle: () => void;
}

function EventRow({ event, startMs, isUnfolded, onToggle }: EventRowProps) {
  const Shape = isUnfolded ? ChevronDown : ChevronRight;
  return (
    <div className="border-b border-line">
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={onToggle}
        className="flex h-8 w-full items-center gap-2 px-2 text-left text-sm -outline-offset-2 hover:bg-sunken/60"
      >
        <Shape aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="w-10 shrink-0 text-right text-muted tabular-nums">{event.seq}</span>
        <time
          title={formatExact(event.ts)}
          className="hidden w-20 shrink-0 text-right text-muted tabular-nums sm:block"
        >
          +{((Date.parse(event.ts) - startMs) / 1_000).toFixed(3)} s
        </time>
        <code className={classNames('shrink-0', toneOf(event.event_type))}>{event.event_type}</code>
        <span className="hidden shrink-0 text-muted md:inline">{event.actor}</span>
        <span className="truncate text-muted">{summarize(event)}</span>
      </button>
      {isUnfolded ? (
        <div className="px-3 pb-3">
          <Json value={event} />
        </div>
      ) : null}
    </div>
  );
}

function toneOf(type: string): string {
  if (/failed$/.test(type)) return 'text-bad';
  if (/^(run\.recovered|run\.cancel|policy)/.test(type)) return 'text-wait';
  if (type.startsWith('model.')) return 'text-accent-ink';
  return type.startsWith('tool.') ? 'text-busy' : 'text-ink';
}
