import type { Segment, Timeline } from './span.ts';

/** Where a moment stands on the axis, as a part of its width from 0 to 1. */
export interface TimeScale {
  toPart(ms: number): number;
  readonly ticks: readonly Tick[];
  /** Idle times that are drawn shorter than they were. */
  readonly breaks: readonly Break[];
}

interface Tick {
  readonly part: number;
  /** Since the run was created. */
  readonly offsetMs: number;
}

interface Break {
  readonly fromMs: number;
  readonly toMs: number;
}

interface ScaleOptions {
  readonly nowMs: number;
  /** Whether long waits take little room. */
  readonly isSqueezed: boolean;
}

/** One of these is what a squeezed wait takes of the width that work has. */
const BREAK_PART = 0.06;
const MIN_SPAN_MS = 10;
const MAX_TICKS = 8;

export function createScale(timeline: Timeline, { nowMs, isSqueezed }: ScaleOptions): TimeScale {
  const { startMs } = timeline;
  const endMs = Math.max(timeline.endMs ?? nowMs, startMs + MIN_SPAN_MS);
  const breaks = isSqueezed ? findIdle(timeline, endMs) : [];
  const idleMs = breaks.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);
  const breakMs = (endMs - startMs - idleMs) * BREAK_PART;
  const toDrawn = (ms: number) => {
    let drawn = Math.min(Math.max(ms, startMs), endMs) - startMs;
    for (const { fromMs, toMs } of breaks) {
      if (ms <= fromMs) break;
      const share = (Math.min(ms, toMs) - fromMs) / (toMs - fromMs);
      drawn -= Math.min(ms, toMs) - fromMs - share * Math.min(breakMs, toMs - fromMs);
    }
    return drawn;
  };
  const whole = Math.max(toDrawn(endMs), 1);
  const toPart = (ms: number) => toDrawn(ms) / whole;
  return { toPart, breaks, ticks: toTicks({ startMs, endMs, breaks }, toPart) };
}

/** Whether most of the time was waiting, so that work would be too small to see. */
export function isMostlyIdle(timeline: Timeline, nowMs: number): boolean {
  const endMs = timeline.endMs ?? nowMs;
  const idleMs = findIdle(timeline, endMs).reduce((sum, one) => sum + one.toMs - one.fromMs, 0);
  return idleMs > (endMs - timeline.startMs) * 0.6;
}

/** Shorter ones are told apart well enough. */
const MIN_IDLE_MS = 2_000;

/** Times in which nothing was worked on: what is left when the work is taken out. */
function findIdle({ startMs, spans }: Timeline, endMs: number): Break[] {
  const work = spans
    .flatMap(({ segments }) => segments)
    .filter(({ kind }) => kind !== 'wait' && kind !== 'gap')
    .map(({ fromMs, toMs }: Segment) => ({ fromMs, toMs: toMs ?? endMs }))
    .sort((a, b) => a.fromMs - b.fromMs);
  const idle: Break[] = [];
  let busyUntilMs = startMs;
  for (const { fromMs, toMs } of [...work, { fromMs: endMs, toMs: endMs }]) {
    if (fromMs - busyUntilMs >= MIN_IDLE_MS) idle.push({ fromMs: busyUntilMs, toMs: fromMs });
    busyUntilMs = Math.max(busyUntilMs, toMs);
  }
  return idle;
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000,
  300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];
/** Nearer to each other their words would touch. */
const MIN_DISTANCE = 0.08;

function toTicks(
  {
    startMs,
    endMs,
    breaks,
  }: { readonly startMs: number; readonly endMs: number; readonly breaks: readonly Break[] },
  toPart: (ms: number) => number,
): Tick[] {
  const idleMs = breaks.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);
  const shownMs = Math.max(endMs - startMs - idleMs, MIN_SPAN_MS);
  const step = STEPS_MS.find((ms) => shownMs / ms <= MAX_TICKS) ?? shownMs / MAX_TICKS;
  const starts = [startMs, ...breaks.map(({ toMs }) => toMs)];
  const ticks: Tick[] = [];
  for (const [at, fromMs] of starts.entries()) {
    const untilMs = breaks[at]?.fromMs ?? endMs;
    // Behind a wait the count goes on from when it ended.
    const first = at === 0 ? 0 : Math.ceil((fromMs - startMs) / step) * step;
    for (let offsetMs = first; startMs + offsetMs <= untilMs; offsetMs += step) {
      const part = toPart(startMs + offsetMs);
      if (part - (ticks.at(-1)?.part ?? -1) >= MIN_DISTANCE) ticks.push({ part, offsetMs });
      if (ticks.length > MAX_TICKS * 3) return ticks;
    }
  }
  return ticks;
}
