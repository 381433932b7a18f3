import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import type { JobId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import { visibleTo } from '../../core/principal.ts';
import { type Jobs, MAX_JOB_PAGE } from '../../core/schedule/jobs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { describeJob } from './describe-job.ts';
import { jobIdField, repairScheduleArguments } from './schedule-fields.ts';

const DEFAULT_LIMIT = 50;
const LIMIT_MESSAGE = `limit must be a whole number from 1 to ${MAX_JOB_PAGE}`;

const input = z.strictObject({
  limit: z
    .int({ error: LIMIT_MESSAGE })
    .min(1, LIMIT_MESSAGE)
    .max(MAX_JOB_PAGE, LIMIT_MESSAGE)
    .describe(`The most jobs to return; ${DEFAULT_LIMIT} when left out.`)
    .optional(),
  after: jobIdField('Go on behind this job: next of the previous answer.').optional(),
});

interface JobListing {
  /** Whether an operator holds all jobs back. */
  readonly paused: boolean;
  readonly jobs: readonly JsonObject[];
  /** Only when there are more. */
  readonly next?: string;
}

export function createSchedulerList(jobs: Pick<Jobs, 'list' | 'isPaused'>): Tool {
  return defineTool<z.infer<typeof input>, JobListing>({
    name: 'scheduler.list',
    description:
      'List your own scheduled jobs by id, with the next time each is due. When next is there, ask again with after set to it.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/schedule/scheduler-list.ts',
    input,
    repair: repairScheduleArguments,
    summarize: (_, output) => `listed ${output.jobs.length} job(s)`,

    async execute({ limit = DEFAULT_LIMIT, after }, { agentId, principal }) {
      const filter = { agentId, ...visibleTo(principal), limit };
      const [paused, page] = await Promise.all([
        jobs.isPaused(),
        jobs.list({ ...filter, ...defined({ after: after as JobId | undefined }) }),
      ]);
      const listing = { paused, jobs: page.jobs.map(describeJob) };
      return page.next === undefined ? listing : { ...listing, next: page.next };
    },
  });
}
