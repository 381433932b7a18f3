import { defineCommand } from '../command.ts';
import { parseJobArgument } from '../job-arguments.ts';
import { changeJob } from '../open-schedule.ts';

export const scheduleRemove = defineCommand({
  usage: 'JOB',
  description:
    'Its history goes with it; runs it made stay. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw schedule remove daily'],
  async run({ args }, context) {
    const id = parseJobArgument(args[0], 'schedule remove');
    return changeJob(context, id, async (schedule, via) => {
      await schedule.remove(id);
      return { via, id };
    });
  },
  fields: ({ via, id }) => ({ job_id: id, removed: true, via }),
  text: ({ id }) => `job ${id} is removed`,
});
