import { readJobHistory } from '../../../../operations/jobs/jobs.ts';
import { askJobs, namingJob } from '../../ask/ask-jobs.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { moreLine } from '../../print/layout.ts';
import { defineCommand } from '../../program/command.ts';
import { parseJobArgument } from './job-arguments.ts';
import { formatFiring } from './job-text.ts';

const MAX_LIMIT = 200;

export const scheduleHistory = defineCommand({
  usage: 'JOB [--limit N] [--cursor CURSOR]',
  description:
    'Every time it was due, newest first: fired, with the run, or missed, with the reason. Asks the running server,\n' +
    'else reads the database.',
  args: { min: 1, max: 1 },
  options: pageOptions(MAX_LIMIT),
  examples: ['claw schedule history daily', 'claw schedule history daily --limit 100'],
  async run({ args, options }, context) {
    const id = parseJobArgument(args[0], 'schedule history');
    const { cursor, limit = DEFAULT_LIMIT } = options;
    const input = { params: { job_id: id }, query: { limit, cursor } };
    return namingJob(id, askJobs(context, readJobHistory, input));
  },
  fields: ({ via, answer: { job_id, firings, next_cursor } }) => ({
    job_id,
    firings_count: firings.length,
    firings,
    next_cursor,
    via,
  }),
  text: ({ answer: { firings, next_cursor: next } }, style) =>
    [
      ...(firings.length === 0
        ? ['(it was not due yet)']
        : firings.map((firing) => formatFiring(firing, style))),
      ...moreLine(next, style),
    ].join('\n'),
});
