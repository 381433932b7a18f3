import { defineCommand } from '../command.ts';
import { parseJobArgument } from '../job-arguments.ts';
import { formatJob } from '../job-text.ts';
import { withAccess } from '../open-access.ts';
import { namingJob, SCHEDULE_READING } from '../open-schedule.ts';

export const scheduleShow = defineCommand({
  usage: 'JOB',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw schedule show daily', 'claw schedule show daily --output-format json'],
  async run({ args }, context) {
    const id = parseJobArgument(args[0], 'schedule show');
    return withAccess(context, SCHEDULE_READING, async (schedule, via) => ({
      via,
      job: await namingJob(id, schedule.get(id)),
    }));
  },
  fields: ({ via, job }) => ({ ...job, via }),
  text: ({ job }, style) => formatJob(job, style),
});
