import { toRuntimeError } from '../errors.ts';
import type { JobId } from '../ids.ts';
import { inParallel } from '../records/in-parallel.ts';
import type { Job } from './job.ts';
import type { DueJobs, JobStore } from './job-store.ts';
import type { SchedulerSettings } from './scheduler-settings.ts';
import { type Obstacle, type SettleSlotDeps, settleSlot } from './settle-slot.ts';

export interface DueJobsDeps extends SettleSlotDeps {
  readonly store: Pick<JobStore, 'listDue' | 'fire' | 'skip'>;
  readonly settings: () => SchedulerSettings;
}

export interface DueJobsTick {
  /** By the store's clock. */
  readonly nowMs: number;
  readonly nextSlotMs: number | undefined;
  /** Jobs whose due slots were fired or put on record as missed. */
  readonly settledCount: number;
  /** Jobs that are due and could not be fired yet. */
  readonly blockedCount: number;
}

export interface DueJobsRunner {
  /** Deals with every slot that is due. Faults of one job leave the others alone; faults of `listDue` are thrown. */
  tick(): Promise<DueJobsTick>;
}

const DUE_PER_TICK = 200;

/** Jobs dealt with at the same time; their writes share transactions. */
const MAX_AT_ONCE = 8;

interface Blocked {
  readonly dueSlotMs: number | undefined;
  readonly obstacle: Obstacle;
}

export function createDueJobs(deps: DueJobsDeps): DueJobsRunner {
  // Only for the reason on record: after a restart the same slots are missed all the same, as `late`.
  const blocked = new Map<JobId, Blocked>();

  async function attempt(
    job: Job,
    due: DueJobs,
    obstacle: Obstacle | undefined,
  ): Promise<Obstacle | undefined> {
    const last = blocked.get(job.id);
    try {
      return await settleSlot(deps, job, {
        nowMs: due.nowMs,
        settings: deps.settings(),
        obstacle,
        lastObstacle: last?.dueSlotMs === job.nextSlotMs ? last?.obstacle : undefined,
      });
    } catch (thrown) {
      const { code } = toRuntimeError(thrown);
      deps.logger.error({ job_id: job.id, code }, 'could not fire job');
      return 'failed';
    }
  }

  return {
    async tick() {
      const due = await deps.store.listDue(DUE_PER_TICK);
      forgetOthers(blocked, due);
      let common: Obstacle | undefined = due.isPaused ? 'disabled' : undefined;
      await inParallel(due.jobs, MAX_AT_ONCE, async (job) => {
        const obstacle = await attempt(job, due, common);
        // A full house is full for everybody: no point in asking again for each of the others.
        if (obstacle === 'capacity' || obstacle === 'queue_full') common = obstacle;
        if (obstacle === undefined) blocked.delete(job.id);
        else blocked.set(job.id, { dueSlotMs: job.nextSlotMs, obstacle });
      });
      return {
        nowMs: due.nowMs,
        nextSlotMs: due.nextSlotMs,
        settledCount: due.jobs.length - blocked.size,
        blockedCount: blocked.size,
      };
    },
  };
}

/** Jobs that are no longer due were fired elsewhere, changed or removed. */
function forgetOthers(blocked: Map<JobId, Blocked>, due: DueJobs): void {
  const ids = new Set(due.jobs.map(({ id }) => id));
  for (const id of blocked.keys()) if (!ids.has(id)) blocked.delete(id);
}
