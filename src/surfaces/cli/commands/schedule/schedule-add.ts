import { createIds } from '../../../../core/create-ids.ts';
import { DEFAULT_AGENT_ID } from '../../../../core/ids.ts';
import { createJob } from '../../../../operations/jobs/jobs.ts';
import { assertAgent } from '../../ask/ask-agents.ts';
import { askJobs, namingTarget } from '../../ask/ask-jobs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { JOB_OPTIONS, parseJobArgument, parseJobOptions, readJobMessage } from './job-arguments.ts';
import { describeNextInZone, needsServerLine } from './job-text.ts';

const COMMAND = 'schedule add';

export const scheduleAdd = defineCommand({
  usage:
    '--every DURATION | --in DURATION | --at TIME [--daily] | --schedule TEXT [--message TEXT] [--id JOB] [options]',
  description:
    'Each time a job is due, its message becomes a run of its agent: over and over, counted from now, or once.\n' +
    '--at 09:00 is the next time that clocks in --timezone show it, or in the zone of this machine. --daily goes on every\n' +
    '24 hours: when clocks change for summer or winter, say it again with claw schedule update. Without\n' +
    '--message, or with -, the message is read from standard input. The same job again under its id is answered with\n' +
    'the first. Through the running server, else in this process: then the job is stored, and fires while a server runs.',
  args: { min: 0, max: 0 },
  options: {
    ...JOB_OPTIONS,
    agent: { kind: 'text', value: 'ID', summary: `who is told (default ${DEFAULT_AGENT_ID})` },
    id: { kind: 'text', value: 'JOB', summary: 'its name; made when absent' },
    disabled: { kind: 'flag', summary: 'add it paused' },
  },
  examples: [
    'claw schedule add --every 24h --id daily --message "summarise the notes of the last day"',
    'claw schedule add --in 5m --message "stand up and stretch"',
    'claw schedule add --at 09:00 --daily --timezone Europe/Berlin --id morning --message "what is new?"',
    'claw schedule add --at 2026-02-18T09:00:00+01:00 --message "remind me of the call" --notify session:session_01jv8z',
  ],
  async run({ options }, context) {
    const given = parseJobOptions(options, { command: COMMAND, nowMs: context.clock.nowMs() });
    const { schedule, agent_id = DEFAULT_AGENT_ID, mode = 'isolated' } = given;
    if (schedule === undefined) {
      throw parseError('it is not said when the job is due', {
        target: COMMAND,
        hint: 'say --every 1h, --in 5m, --at 09:00, or --at 2026-02-18T09:00:00Z',
      });
    }
    const id =
      options.id === undefined
        ? createIds(() => context.clock.nowMs()).job()
        : parseJobArgument(options.id, COMMAND);
    const message = await readJobMessage(options.message, context.input, COMMAND);
    await assertAgent(context, agent_id);
    const told = { agent_id, schedule, message, mode };
    const body = { ...given, ...told, job_id: id, enabled: !options.disabled };
    return namingTarget(given.notify, askJobs(context, createJob, { body }));
  },
  fields: ({ via, answer: job }) => ({ ...job, via }),
  text: ({ via, answer: job }, style) =>
    [
      `job ${job.job_id} is added; next: ${describeNextInZone(job, style)}`,
      ...needsServerLine(via),
    ].join('\n'),
});
