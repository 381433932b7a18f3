import type { Firing } from '../../src/core/schedule/job.ts';
import type { SimulatedJob, Simulation } from './simulated-days.ts';

/**
 * Says what is wrong with the history of a job, by counting slots as `anchor + k * interval` and nothing else. Shares
 * no code with the scheduler: a fault in its arithmetic must not hide itself.
 */
export function findFaults(
  job: SimulatedJob,
  firings: readonly Firing[],
  { graceMs, record }: { readonly graceMs: number; readonly record: Simulation },
): string[] {
  const faults: string[] = [];
  const slotOf = (k: number) => job.atMs ?? job.anchorMs + k * (job.everyMs ?? 0);
  const newestAt = (ms: number) =>
    job.everyMs === undefined
      ? Number(ms >= slotOf(1))
      : Math.floor((ms - job.anchorMs) / job.everyMs);
  let settled = 0;

  for (const firing of firings) {
    const count = firing.outcome === 'fired' ? 1 : firing.count;
    const firstMs = firing.outcome === 'fired' ? firing.slotMs : firing.firstSlotMs;
    const lastMs = firing.outcome === 'fired' ? firing.slotMs : firing.lastSlotMs;
    const text = `${job.id} ${firing.outcome} ${firstMs}..${lastMs} at ${firing.atMs}`;
    const fault = (why: string) => faults.push(`${text}: ${why}`);

    if (firstMs !== slotOf(settled + 1)) fault('leaves a gap or repeats a slot');
    settled += count;
    if (lastMs !== slotOf(settled)) fault('counts wrong');
    if (lastMs > firing.atMs) fault('is early');
    const beforeMs = lastBelow(record.completedMs, firing.atMs);
    if (firstMs <= beforeMs) fault(`was left over by the tick at ${beforeMs}`);

    const isNewest = settled === newestAt(firing.atMs);
    const isInTime = firing.atMs - lastMs <= graceMs || job.catchUp === 'once';
    const wasOpen = record.openRuns.has(`${job.id}@${firing.atMs}`);
    if (firing.outcome === 'fired') {
      if (!isNewest) fault('was not the newest slot');
      if (!isInTime) fault('was too late');
      if (wasOpen) fault('overlaps an open run');
    } else if (firing.reason === 'overlap') {
      if (!isNewest || count !== 1) fault('says overlap of more than the newest slot');
      if (!wasOpen) fault('says overlap without an open run');
    } else {
      if (firing.reason !== 'late') fault(`has the reason ${firing.reason}`);
      if (isNewest && isInTime) fault('could have been fired');
    }
  }

  const due = newestAt(record.completedMs.at(-1) ?? 0);
  if (settled !== due) faults.push(`${job.id}: ${settled} slots are settled of ${due}`);
  return faults;
}

/** The last of these ascending times before a moment; 0 when there is none. */
function lastBelow(timesMs: readonly number[], ms: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return timesMs[low - 1] ?? 0;
}
