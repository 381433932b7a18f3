import type { JobStore } from '../../../core/schedule/job-store.ts';
import type { PortDeps } from '../port-deps.ts';
import { createJobReads } from './job-reads.ts';

export function createJobStore({ db, read, writer, nowMs }: PortDeps): JobStore {
  const reads = createJobReads(db, nowMs);
  return {
    create: (job, bounds) => writer.submit('createJob', job, bounds),
    find: (id) => read(() => reads.find(id)),
    list: (filter) => read(() => reads.list(filter)),
    update: (id, change, revision) => writer.submit('updateJob', id, change, revision),
    remove: (id) => writer.submit('removeJob', id),
    listDue: (limit) => read(() => reads.listDue(limit)),
    fire: (firing) => writer.submit('fireSlot', firing),
    skip: (skipped) => writer.submit('skipSlots', skipped),
    listFirings: (filter) => read(() => reads.listFirings(filter)),
    listLastFired: (ids) => read(() => reads.listLastFired(ids)),
    summarize: () => read(reads.summarize),
    listUnsettled: (limit) => read(() => reads.listUnsettled(limit)),
    settle: (firing, notice) => writer.submit('settleFiring', firing, notice),
    isPaused: () => read(reads.isPaused),
    setPaused: (isPaused) => writer.submit('setPaused', isPaused),
  };
}
