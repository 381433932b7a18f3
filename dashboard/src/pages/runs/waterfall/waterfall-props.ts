import type { Timeline } from '../timeline/span.ts';
import type { TimeScale } from '../timeline/time-scale.ts';
import type { WaterfallRow } from './waterfall-rows.ts';

export interface WaterfallProps {
  readonly rows: readonly WaterfallRow[];
  readonly timeline: Timeline;
  readonly scale: TimeScale;
  readonly nowMs: number;
  readonly selectedId: string | undefined;
  /** Somebody selected it: then it is brought into view. */
  readonly isChosen: boolean;
  readonly onSelect: (id: string) => void;
  readonly onFold: (id: string, isFolded: boolean) => void;
}

export const WATERFALL_COLUMNS =
  'grid grid-cols-[minmax(0,1fr)] md:grid-cols-[14rem_minmax(0,1fr)] 2xl:grid-cols-[19rem_minmax(0,1fr)]';
