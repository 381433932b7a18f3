import { changeJob } from '../../../../operations/jobs/jobs.ts';
import { assertAgent } from '../../ask/ask-agents.ts';
import { askJobs, assertJob, namingJob, namingTarget } from '../../ask/ask-jobs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { JOB_OPTIONS, parseJobArgument, parseJobOptions, readJobMessage } from './job-arguments.ts';
import { describeNextInZone, needsServerLine } from './job-text.ts';

const COMMAND = 'schedule update';

export const scheduleUpdate = defineCommand({
  usage:
    'JOB [--every DURATION | --in DURATION | --at TIME [--daily] | --schedule TEXT] [--message TEXT] [options]',
  description:
    'What is given changes, the rest stays. A new schedule counts from now. Through the running server, else in this\n' +
    'process.',
  args: { min: 1, max: 1 },
  options: JOB_OPTIONS,
  examples: [
    'claw schedule update daily --every 12h',
    'claw schedule update morning --at 08:30 --daily --timezone Europe/Berlin',
    'claw schedule update daily --message - < message.txt',
  ],
  async run({ args, options }, context) {
    const id = parseJobArgument(args[0], COMMAND);
    const given = parseJobOptions(options, { command: COMMAND, nowMs: context.clock.nowMs() });
    if (Object.keys(given).length === 0 && options.message === undefined) {
      throw parseError('it is not said what is to change', {
        target: COMMAND,
        hint: 'claw help schedule update lists what can',
      });
    }
    const message =
      options.message === undefined
        ? {}
        : { message: await readJobMessage(options.message, context.input, COMMAND) };
    if (given.agent_id !== undefined) await assertAgent(context, given.agent_id);
    const input = { params: { job_id: id }, body: { ...given, ...message } };
    await assertJob(context, id);
    return namingTarget(given.notify, namingJob(id, askJobs(context, changeJob, input)));
  },
  fields: ({ via, answer: job }) => ({ ...job, via }),
  text: ({ via, answer: job }, style) =>
    [
      `job ${job.job_id} is changed; next: ${describeNextInZone(job, style)}`,
      ...needsServerLine(via),
    ].join('\n'),
});
