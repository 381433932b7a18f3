import type { GivenNotify } from '../../core/schedule/job-fields.ts';
import { namingAgent } from './admin-arguments.ts';
import type { CliContext } from './context.ts';
import { naming } from './errors.ts';
import { createLocalSchedule, createScheduleReader } from './local-schedule.ts';
import { readStore, useRuntime, type Ways, withAccess } from './open-access.ts';
import type { Via } from './open-runs.ts';
import { namingSession } from './open-sessions.ts';
import type { ScheduleAccess, ScheduleReader } from './schedule-access.ts';
import { createJobReader } from './store-readers.ts';

const remote: Ways<ScheduleAccess>['remote'] = async (options) =>
  (await import('./remote/remote-schedule.ts')).createRemoteSchedule(options);

/** Through the running server, else from the database. */
export const SCHEDULE_READING: Ways<ScheduleReader> = {
  remote,
  local: (context) =>
    readStore(context, (store) => createScheduleReader(createJobReader(store, context.clock))),
};

/** Through the running server, else in this process. */
export const SCHEDULE_WRITING: Ways<ScheduleAccess> = {
  remote,
  local: (context) => useRuntime(context, ({ jobs }) => createLocalSchedule(jobs)),
};

/** Says which job was looked for when there is none. */
export function namingJob<T>(name: string, lookup: Promise<T>): Promise<T> {
  return naming(
    { thing: 'job', name, hint: 'claw schedule list shows the jobs there are' },
    lookup,
  );
}

/** Of all that a job speaks of, whom it notifies is looked for only when it is stored. */
export function namingTarget<T>(notify: GivenNotify | undefined, lookup: Promise<T>): Promise<T> {
  const target = notify?.target ?? '';
  return namingAgent(target, namingSession(target, lookup));
}

export async function changeJob<T>(
  context: CliContext,
  id: string,
  change: (schedule: ScheduleAccess, via: Via) => Promise<T>,
): Promise<T> {
  // Looked up without a writer first: a mistyped id must not create a state root.
  await withAccess(context, SCHEDULE_READING, (schedule) => namingJob(id, schedule.get(id)));
  return withAccess(context, SCHEDULE_WRITING, (schedule, via) =>
    namingJob(id, change(schedule, via)),
  );
}
