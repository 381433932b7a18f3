import * as z from 'zod';
import type { Jobs } from '../../core/schedule/jobs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { findOwnJob } from './own-jobs.ts';
import { jobIdField, repairScheduleArguments } from './schedule-fields.ts';

const input = z.strictObject({ id: jobIdField('The job to remove.') });

interface Removed {
  readonly id: string;
  /** False when there was none, as for a second call. */
  readonly removed: boolean;
}

export function createSchedulerRemove(jobs: Pick<Jobs, 'get' | 'remove'>): Tool {
  return defineTool<z.infer<typeof input>, Removed>({
    name: 'scheduler.remove',
    description: 'Remove one of your own scheduled jobs for good. Runs it has started go on.',
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/schedule/scheduler-remove.ts',
    input,
    repair: repairScheduleArguments,
    summarize: (_, { id, removed }) =>
      removed ? `removed job ${id}` : `you have no job ${id}; nothing was removed`,

    async execute({ id }, ctx) {
      const job = await findOwnJob(jobs, id, ctx);
      if (job) await jobs.remove(job.id);
      return { id, removed: job !== undefined };
    },
  });
}
