import { getJob } from '../../../../operations/jobs/jobs.ts';
import { askJobs, namingJob } from '../../ask/ask-jobs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseJobArgument } from './job-arguments.ts';
import { formatJob } from './job-text.ts';

export const scheduleShow = defineCommand({
  usage: 'JOB',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw schedule show daily', 'claw schedule show daily --output-format json'],
  async run({ args }, context) {
    const id = parseJobArgument(args[0], 'schedule show');
    return namingJob(id, askJobs(context, getJob, { params: { job_id: id } }));
  },
  fields: ({ via, answer: job }) => ({ ...job, via }),
  text: ({ answer: job }, style) => formatJob(job, style),
});
