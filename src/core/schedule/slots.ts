/** The slots of an interval: `anchorMs + k * everyMs` for k = 1, 2, 3, … Counted from the anchor they never drift. */
export interface SlotSeries {
  readonly anchorMs: number;
  readonly everyMs: number;
}

/** The first slot later than a moment. */
export function slotAfter(series: SlotSeries, ms: number): number {
  const passed = Math.floor((ms - series.anchorMs) / series.everyMs);
  return series.anchorMs + Math.max(1, passed + 1) * series.everyMs;
}

/** The last slot not later than a moment; undefined before the first. */
export function slotNotAfter(series: SlotSeries, ms: number): number | undefined {
  const newestMs = slotAfter(series, ms) - series.everyMs;
  return newestMs > series.anchorMs ? newestMs : undefined;
}

/** How many slots there are from one slot to another, both included. */
export function countSlots(series: SlotSeries, firstSlotMs: number, lastSlotMs: number): number {
  return lastSlotMs < firstSlotMs ? 0 : Math.floor((lastSlotMs - firstSlotMs) / series.everyMs) + 1;
}
