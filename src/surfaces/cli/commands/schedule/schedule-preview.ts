import { MAX_PREVIEW } from '../../../../core/schedule/jobs.ts';
import { previewJob } from '../../../../operations/jobs/jobs.ts';
import { askJobs, namingJob } from '../../ask/ask-jobs.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseJobArgument } from './job-arguments.ts';

const DEFAULT_COUNT = 5;

export const schedulePreview = defineCommand({
  usage: 'JOB [--count N]',
  description:
    'The next times it is due, in its own time zone; none for a job that is paused. Asks the running server, else\n' +
    'reads the database.',
  args: { min: 1, max: 1 },
  options: {
    count: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_PREVIEW,
      isWhole: true,
      summary: `how many (default ${DEFAULT_COUNT}, at most ${MAX_PREVIEW})`,
    },
  },
  examples: ['claw schedule preview daily', 'claw schedule preview daily --count 30'],
  async run({ args, options }, context) {
    const id = parseJobArgument(args[0], 'schedule preview');
    const { count = DEFAULT_COUNT } = options;
    const input = { params: { job_id: id }, query: { count } };
    return namingJob(id, askJobs(context, previewJob, input));
  },
  fields: ({ via, answer: { job_id, timezone, upcoming } }) => ({
    job_id,
    timezone,
    upcoming_count: upcoming.length,
    upcoming,
    via,
  }),
  text: ({ answer: { timezone, upcoming } }) =>
    upcoming.length === 0
      ? '(it will not fire)'
      : upcoming.map(({ local }) => `${local}  ${toOneLine(timezone, 128)}`).join('\n'),
});
