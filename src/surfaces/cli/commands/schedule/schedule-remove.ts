import { removeJob } from '../../../../operations/jobs/jobs.ts';
import { askJobs, assertJob, namingJob } from '../../ask/ask-jobs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseJobArgument } from './job-arguments.ts';

export const scheduleRemove = defineCommand({
  usage: 'JOB',
  description:
    'Its history goes with it; runs it made stay. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw schedule remove daily'],
  async run({ args }, context) {
    const id = parseJobArgument(args[0], 'schedule remove');
    await assertJob(context, id);
    return namingJob(id, askJobs(context, removeJob, { params: { job_id: id } }));
  },
  fields: ({ via, answer: { removed } }) => ({ job_id: removed, removed: true, via }),
  text: ({ answer: { removed } }) => `job ${removed} is removed`,
});
