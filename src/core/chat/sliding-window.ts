/** When things happened within the last `windowMs`. Holds no more than were added within one window, twice over. */
export interface SlidingWindow {
  add(nowMs: number): void;
  size(nowMs: number): number;
  /** How long until fewer than `limit` are left; 0 when they are that few already. */
  waitMs(nowMs: number, limit: number): number;
}

export function createSlidingWindow(windowMs: number): SlidingWindow {
  const times: number[] = [];
  let head = 0;

  function expire(nowMs: number): void {
    // The clock was set back: what it calls the future would count until that time comes again, so it counts as now.
    for (let at = times.length - 1; (times[at] ?? nowMs) > nowMs; at -= 1) times[at] = nowMs;
    while (head < times.length && (times[head] ?? 0) <= nowMs - windowMs) head += 1;
    // Taking from the front moves the rest, so it waits until there is as much to drop as to move.
    if (head > 0 && head * 2 >= times.length) {
      times.splice(0, head);
      head = 0;
    }
  }

  return {
    add(nowMs) {
      expire(nowMs);
      times.push(nowMs);
    },

    size(nowMs) {
      expire(nowMs);
      return times.length - head;
    },

    waitMs(nowMs, limit) {
      expire(nowMs);
      if (times.length - head < limit) return 0;
      return (times[times.length - limit] ?? nowMs) + windowMs - nowMs;
    },
  };
}
