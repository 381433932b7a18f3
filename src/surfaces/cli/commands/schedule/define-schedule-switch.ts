import { controlScheduler } from '../../../../operations/jobs/jobs.ts';
import { askJobs, assertJob, namingJob } from '../../ask/ask-jobs.ts';
import type { Via } from '../../healthy-server.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { parseJobArgument } from './job-arguments.ts';
import { allPausedLine, describeNext, needsServerLine } from './job-text.ts';

export interface ScheduleSwitchOptions {
  readonly verb: 'pause' | 'resume';
  readonly description: string;
  readonly examples: readonly string[];
}

/** `schedule pause` and `schedule resume`. */
export function defineScheduleSwitch({ verb, description, examples }: ScheduleSwitchOptions) {
  const command = `schedule ${verb}`;
  return defineCommand({
    usage: 'JOB | --all',
    description,
    args: { min: 0, max: 1 },
    options: { all: { kind: 'flag', summary: 'the scheduler itself, whatever its jobs say' } },
    examples,
    async run({ args, options }, context) {
      const [argument] = args;
      if (options.all !== (argument === undefined)) {
        throw parseError('name one job, or say --all', {
          target: command,
          hint: `usage: claw ${command} JOB | --all`,
        });
      }
      if (argument === undefined) {
        return askJobs(context, controlScheduler, { body: { action: verb } });
      }
      const id = parseJobArgument(argument, command);
      await assertJob(context, id);
      const body = { action: verb, job_id: id };
      return namingJob(id, askJobs(context, controlScheduler, { body }));
    },
    fields: ({ via, answer: { paused, job } }) => ({ ...job, paused, via }),
    text: ({ via, answer: { paused, job } }, style) =>
      job === undefined
        ? [
            paused ? 'all firing is paused' : 'jobs fire again',
            ...needsServerFor(via, paused),
          ].join('\n')
        : [
            `job ${job.job_id}: ${describeNext(job, style)}`,
            ...(job.enabled ? needsServerLine(via) : []),
            ...allPausedLine(paused && job.enabled, style),
          ].join('\n'),
  });
}

function needsServerFor(via: Via, paused: boolean): string[] {
  return via === 'local' && !paused ? ['they do while a server runs: claw serve'] : [];
}
