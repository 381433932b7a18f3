import { performance } from 'node:perf_hooks';

/** A shorter look says more about the last moment than about the load. */
const MIN_WINDOW_MS = 100;
/** Of the time; with more, whatever else runs on a small machine makes somebody wait. */
const BUSY_SHARE = 0.5;

/** Whether the event loop had work for most of the time since somebody last asked. */
export function createBusyGauge(): () => boolean {
  let seen = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const now = performance.eventLoopUtilization();
    const { active, idle, utilization } = performance.eventLoopUtilization(now, seen);
    if (active + idle < MIN_WINDOW_MS) return isBusy;
    seen = now;
    isBusy = utilization > BUSY_SHARE;
    return isBusy;
  };
}
