import type { JobReader } from '../../../core/schedule/jobs.ts';
import { createSchedulerState } from '../../../core/schedule/scheduler-state.ts';
import { getJob, type JobReading, type JobWriting } from '../../../operations/jobs/jobs.ts';
import { namingAgent } from '../admin-arguments.ts';
import type { CliContext } from '../program/context.ts';
import { naming } from '../program/errors.ts';
import { createJobReader } from '../store-readers.ts';
import { askAt } from './ask-runtime.ts';
import { namingSession } from './ask-sessions.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

export const JOBS: Place<JobReading, JobWriting> = {
  read: fromStore((store, { clock }) => toDeps(createJobReader(store, clock))),
  write: fromRuntime(({ jobs }) => toDeps(jobs)),
};

export const askJobs = askAt(JOBS);

function toDeps<Access extends JobReader>(jobs: Access) {
  // Without a server nobody fires.
  return { jobs, readState: createSchedulerState({ jobs, isEnabled: () => false }) };
}

/** Says which job was looked for when there is none. */
export function namingJob<T>(name: string, lookup: Promise<T>): Promise<T> {
  return naming(
    { thing: 'job', name, hint: 'claw schedule list shows the jobs there are' },
    lookup,
  );
}

/** Of all that a job speaks of, whom it notifies is looked for only when it is stored. */
export function namingTarget<T>(
  notify: { readonly target: string } | undefined,
  lookup: Promise<T>,
): Promise<T> {
  const target = notify?.target ?? '';
  return namingAgent(target, namingSession(target, lookup));
}

/** Without a writer: a mistyped id must not create a state root. */
export async function assertJob(context: CliContext, id: string): Promise<void> {
  await namingJob(id, askJobs(context, getJob, { params: { job_id: id } }));
}
