import * as z from 'zod';
import type { Job } from '../../core/schedule/job.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { getOwnJob, listOwnJobs } from './own-jobs.ts';
import { jobIdField, repairScheduleArguments } from './schedule-fields.ts';

const input = z.strictObject({
  id: jobIdField('The job; all of your own when left out.').optional(),
});

interface Switched {
  readonly paused: boolean;
  /** The jobs that are as asked for now, also those that were before. */
  readonly ids: readonly string[];
}

type SwitchedJobs = Pick<Jobs, 'get' | 'list' | 'pause' | 'resume'>;

/** Both keep to the agent's own jobs: holding back everybody's is for operators. */
export function createSchedulerPause(jobs: SwitchedJobs): Tool {
  return createSwitch(jobs, {
    name: 'scheduler.pause',
    description:
      'Pause one of your own scheduled jobs, or all of them when id is left out. Times that pass meanwhile are dropped.',
    isPause: true,
  });
}

export function createSchedulerResume(jobs: SwitchedJobs): Tool {
  return createSwitch(jobs, {
    name: 'scheduler.resume',
    description:
      'Resume one of your own paused jobs, or all of them when id is left out. They go on with their next time from now.',
    isPause: false,
  });
}

interface Switch {
  readonly name: string;
  readonly description: string;
  readonly isPause: boolean;
}

function createSwitch(jobs: SwitchedJobs, { name, description, isPause }: Switch): Tool {
  const flip = (id: string) => (isPause ? jobs.pause(id) : jobs.resume(id));
  return defineTool<z.infer<typeof input>, Switched>({
    name,
    description,
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/schedule/scheduler-switch.ts',
    input,
    repair: repairScheduleArguments,
    summarize: (_, { ids }) => `${isPause ? 'paused' : 'resumed'} ${ids.length} job(s)`,

    async execute({ id }, ctx) {
      const own = id === undefined ? await listOwnJobs(jobs, ctx) : [];
      const chosen = id === undefined ? own.filter(canFire) : [await getOwnJob(jobs, id, ctx)];
      for (const job of chosen) await flip(job.id);
      return { paused: isPause, ids: chosen.map((job) => job.id) };
    },
  });
}

/** A one-shot that is over can not be resumed, and need not be paused. */
function canFire(job: Job): boolean {
  return job.nextSlotMs !== undefined;
}
