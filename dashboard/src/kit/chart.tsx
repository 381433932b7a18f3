import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from '../api/store.ts';
import { shownTheme } from './theme.ts';

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  /** Read aloud: what is shown, in a sentence. */
  readonly label: string;
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly kind?: 'line' | 'bars';
  readonly height?: number;
}

/** Differ in lightness too, and each has its name in the legend. */
const INKS = ['--accent', '--busy', '--wait', '--bad', '--ok', '--muted'] as const;

/** Lines or bars over time. */
export function Chart({ label, times, series, format, kind = 'line', height = 220 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useStore(shownTheme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read again when others are shown
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    // A canvas knows no variables.
    const ink = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const axis = {
      stroke: ink('--muted'),
      grid: { stroke: ink('--line'), width: 1 },
      ticks: { show: false },
    };
    const bars = kind === 'bars' ? uPlot.paths.bars?.({ size: [0.7, 40] }) : undefined;
    const plot = new uPlot(
      {
        width: place.clientWidth,
        height,
        padding: [8, 8, 0, 0],
        // Days are counted as the server counts them: elsewhere one of them would begin on the evening before.
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
        series: [
          {},
          ...series.map(({ label: name }, at) => ({
            label: name,
            stroke: ink(INKS[at % INKS.length] ?? '--accent'),
            ...(kind === 'bars'
              ? { fill: ink(INKS[at % INKS.length] ?? '--accent') }
              : { width: 2 }),
            ...(bars === undefined ? {} : { paths: bars }),
            value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
          })),
        ],
        axes: [axis, { ...axis, size: 64, values: (_plot, ticks) => ticks.map(format) }],
        scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      },
      [times as number[], ...series.map(({ values }) => values as (number | null)[])],
      place,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [times, series, format, kind, height, shown]);
  return <div ref={box} role="img" aria-label={label} className="w-full min-w-0" />;
}
