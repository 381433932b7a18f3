import type { ReactNode } from 'react';
import { classNames } from '../../../kit/class-names.ts';
import type { Band, Mark, Timeline } from '../timeline/span.ts';
import type { TimeScale } from '../timeline/time-scale.ts';

interface TrackProps {
  readonly timeline: Timeline;
  readonly scale: TimeScale;
  readonly nowMs: number;
  readonly children: ReactNode;
}

export const HATCHED =
  'bg-[repeating-linear-gradient(-45deg,currentColor_0_1px,transparent_1px_5px)]';

const BANDS: Readonly<Record<Band['kind'], string>> = {
  queued: 'text-off/40',
  rest: 'text-off/40',
  gap: 'text-bad/50',
};

const MARKS: Readonly<Record<Mark['kind'], string>> = {
  resumed: 'bg-bad',
  cancel: 'bg-wait',
  input: 'bg-accent',
};

/** The newest of each, on every row: a conversation may have thousands. */
const MAX_DRAWN = 100;

/** Behind a bar: the axis, and when nothing went on. */
export function Track({ timeline, scale, nowMs, children }: TrackProps) {
  const { toPart, ticks } = scale;
  return (
    <div className="relative mx-3 h-7 md:h-9">
      {ticks.map(({ part, offsetMs }) => (
        <span
          key={offsetMs}
          className="absolute inset-y-0 w-px bg-line"
          style={{ left: `${part * 100}%` }}
        />
      ))}
      {timeline.bands.slice(-MAX_DRAWN).map(({ kind, fromMs, toMs }) => (
        <span
          key={`${kind}${fromMs}`}
          className={classNames('absolute inset-y-0', HATCHED, BANDS[kind])}
          style={{
            left: `${toPart(fromMs) * 100}%`,
            width: `${(toPart(toMs ?? nowMs) - toPart(fromMs)) * 100}%`,
          }}
        />
      ))}
      {timeline.marks.slice(-MAX_DRAWN).map(({ kind, atMs, seq, label }) => (
        <span
          key={seq}
          title={label}
          className={classNames('absolute inset-y-0 w-0.5', MARKS[kind])}
          style={{ left: `${toPart(atMs) * 100}%` }}
        />
      ))}
      {children}
    </div>
  );
}
