import type { JobStore } from '../../../core/schedule/job-store.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Trigger } from './fire-slot.ts';
import {
  findJob,
  isSchedulerPaused,
  listDueJobs,
  listFirings,
  listJobs,
  listLastFired,
  listUnsettledFirings,
  summarizeJobs,
} from './job-reads.ts';
import { createJob, type JobWriteDeps, removeJob, skipSlots, updateJob } from './job-writes.ts';
import { settleFiring } from './settle-firing.ts';

const SET_PAUSED = 'update scheduler_state set is_paused = $1 where no = 1';

export function createJobStore(deps: JobWriteDeps, trigger: Trigger): JobStore {
  const { database, nowMs } = deps;
  return {
    create: (job, bounds) => createJob(deps, job, bounds),
    find: (id) => findJob(database, id),
    list: (filter) => listJobs(database, filter),
    update: async (id, change, revision) =>
      isStorableId(id) ? updateJob(deps, id, { change, revision }) : undefined,
    remove: async (id) => isStorableId(id) && removeJob(deps, id),
    listDue: (limit) => listDueJobs(database, limit, nowMs?.()),
    fire: trigger.fire,
    skip: async (skipped) => isStorableId(skipped.jobId) && skipSlots(deps, skipped),
    listFirings: (filter) => listFirings(database, filter),
    listLastFired: (ids) => listLastFired(database, ids),
    summarize: () => summarizeJobs(database),
    listUnsettled: (limit) => listUnsettledFirings(database, limit),
    settle: (firing, notice) => settleFiring(deps, firing, notice),
    isPaused: () => isSchedulerPaused(database),
    setPaused: async (isPaused) => {
      await database.write({ name: 'set_paused', text: SET_PAUSED, values: [isPaused] });
    },
  };
}
