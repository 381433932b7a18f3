import type { JobId } from '../../../src/core/ids.ts';
import type { Firing, Job } from '../../../src/core/schedule/job.ts';
import type { JobStore } from '../../../src/core/schedule/job-store.ts';
import type { Storage } from '../../../src/core/storage.ts';
import type { StoredRun } from './check-run.ts';
import { TICK_JOB_ID, TICK_MS } from './tick-job.ts';
import { TICK_ANSWER } from './workload-script.ts';

export interface TicksReport {
  readonly violations: readonly string[];
  readonly fired: number;
  readonly missed: number;
}

const PAGE = 200;

/** Every slot of the job since it was made has one run, or is on record as missed; and no run is there without a slot. */
export async function checkTicks(
  { jobs }: Pick<Storage, 'jobs'>,
  stored: readonly StoredRun[],
): Promise<TicksReport> {
  const job = await jobs.find(TICK_JOB_ID as JobId);
  if (!job) return { violations: [], fired: 0, missed: 0 };
  const firings = await readFirings(jobs, job);
  const fired = firings.filter((firing) => firing.outcome === 'fired').length;
  return {
    violations: [...checkSlots(job, firings), ...checkRuns(firings, stored)],
    fired,
    missed: firings.reduce((sum, firing) => sum + countOf(firing), 0) - fired,
  };
}

async function readFirings(jobs: JobStore, { id: jobId }: Job): Promise<Firing[]> {
  const newestFirst: Firing[] = [];
  let page = await jobs.listFirings({ jobId, limit: PAGE });
  newestFirst.push(...page.firings);
  while (page.next !== undefined) {
    page = await jobs.listFirings({ jobId, limit: PAGE, before: page.next });
    newestFirst.push(...page.firings);
  }
  return newestFirst.reverse();
}

const countOf = (firing: Firing): number => (firing.outcome === 'fired' ? 1 : firing.count);

/** Counted from the anchor in steps of the interval and by nothing of the scheduler's own. */
function checkSlots(job: Job, firings: readonly Firing[]): string[] {
  const violations: string[] = [];
  let nextMs = job.anchorMs + TICK_MS;
  for (const firing of firings) {
    const isFired = firing.outcome === 'fired';
    const firstMs = isFired ? firing.slotMs : firing.firstSlotMs;
    const lastMs = isFired ? firing.slotMs : firing.lastSlotMs;
    const text = `${job.id} ${firing.outcome} ${firstMs}..${lastMs}`;
    if (firstMs !== nextMs) violations.push(`${text} comes where slot ${nextMs} should`);
    nextMs = firstMs + countOf(firing) * TICK_MS;
    if (lastMs !== nextMs - TICK_MS) violations.push(`${text} counts ${countOf(firing)} slots`);
    if (firing.atMs < lastMs) violations.push(`${text} was settled before its time`);
    // A server that is killed gives up nothing: slots pass while it is down, or while the last run goes on.
    if (!isFired && firing.reason !== 'late' && firing.reason !== 'overlap') {
      violations.push(`${text} has the reason ${firing.reason}`);
    }
  }
  if (job.nextSlotMs !== nextMs) {
    violations.push(`${job.id} goes on at ${job.nextSlotMs} where slot ${nextMs} is next`);
  }
  return violations;
}

function checkRuns(firings: readonly Firing[], stored: readonly StoredRun[]): string[] {
  const violations: string[] = [];
  const slotOf = new Map<string, number>();
  for (const firing of firings) {
    if (firing.outcome === 'fired') slotOf.set(firing.runId, firing.slotMs);
  }
  for (const { run, events } of stored) {
    const slotMs = slotOf.get(run.id);
    const made = events[0]?.payload['slot'];
    if (slotMs === undefined) violations.push(`${run.id}: made for slot ${made}, which is not its`);
    else if (made !== new Date(slotMs).toISOString()) {
      violations.push(`${run.id}: made for slot ${made}, fired at ${slotMs}`);
    }
    slotOf.delete(run.id);
    if (run.status !== 'completed' || run.output !== TICK_ANSWER) {
      violations.push(`${run.id}: a tick ended ${run.status} with ${JSON.stringify(run.output)}`);
    }
  }
  for (const [id, slotMs] of slotOf) violations.push(`slot ${slotMs} lacks its run ${id}`);
  return violations;
}
