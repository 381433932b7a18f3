import type { JobShape } from '../http/job-shapes.ts';
import { defineCommand } from './command.ts';
import type { CliContext } from './context.ts';
import { parseError } from './errors.ts';
import { parseJobArgument } from './job-arguments.ts';
import { allPausedLine, describeNext, needsServerLine } from './job-text.ts';
import { withAccess } from './open-access.ts';
import type { Via } from './open-runs.ts';
import { changeJob, SCHEDULE_WRITING } from './open-schedule.ts';

export interface ScheduleSwitchOptions {
  readonly verb: 'pause' | 'resume';
  readonly description: string;
  readonly examples: readonly string[];
}

interface Switched {
  readonly via: Via;
  /** Whether all firing is held back. */
  readonly paused: boolean;
  /** Undefined when it was done to all. */
  readonly job: JobShape | undefined;
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
    async run({ args, options }, context): Promise<Switched> {
      const [argument] = args;
      if (options.all !== (argument === undefined)) {
        throw parseError('name one job, or say --all', {
          target: command,
          hint: `usage: claw ${command} JOB | --all`,
        });
      }
      if (argument === undefined) return switchAll(context, verb);
      const id = parseJobArgument(argument, command);
      return changeJob(context, id, async (schedule, via) => {
        const job = await schedule[verb](id);
        return { via, job, paused: await schedule.isPaused() };
      });
    },
    fields: ({ via, paused, job }) => ({ ...job, paused, via }),
    text: ({ via, paused, job }, style) =>
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

async function switchAll(context: CliContext, verb: 'pause' | 'resume'): Promise<Switched> {
  return withAccess(context, SCHEDULE_WRITING, async (schedule, via) => {
    await (verb === 'pause' ? schedule.pauseAll() : schedule.resumeAll());
    return { via, job: undefined, paused: await schedule.isPaused() };
  });
}

function needsServerFor(via: Via, paused: boolean): string[] {
  return via === 'local' && !paused ? ['they do while a server runs: claw serve'] : [];
}
