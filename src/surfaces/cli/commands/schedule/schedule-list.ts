import { listJobs, readScheduler } from '../../../../operations/jobs/jobs.ts';
import { parseAgentArgument } from '../../admin-arguments.ts';
import { JOBS } from '../../ask/ask-jobs.ts';
import { asking } from '../../ask/ask-runtime.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatTable, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { plainStyle } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';
import { allPausedLine, describeNext } from './job-text.ts';

const COMMAND = 'schedule list';
const MAX_LIMIT = 200;

export const scheduleList = defineCommand({
  usage: '[--agent ID] [--limit N] [--cursor CURSOR]',
  description: 'By id. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    agent: { kind: 'text', value: 'ID', summary: 'only jobs of this agent' },
    ...pageOptions(MAX_LIMIT),
  },
  examples: ['claw schedule list', 'claw schedule list --agent agent_2 --output-format json'],
  async run({ options }, context) {
    const { agent, cursor, limit = DEFAULT_LIMIT } = options;
    const agentId = agent === undefined ? undefined : parseAgentArgument(agent, COMMAND);
    const query = { agent_id: agentId, limit, cursor };
    return asking(context, JOBS.read, async (ask, via) => ({
      via,
      ...(await ask(listJobs, { query })),
      paused: (await ask(readScheduler, {})).paused,
    }));
  },
  fields: ({ via, jobs, next_cursor, paused }) => ({
    jobs_count: jobs.length,
    jobs,
    next_cursor,
    paused,
    via,
  }),
  text({ jobs, next_cursor: next, paused }, style) {
    const rows = jobs.map((job) => [
      job.job_id,
      toOneLine(job.schedule, 40),
      describeNext(job, plainStyle),
      job.agent_id,
      toOneLine(job.message, 60),
    ]);
    return [
      rows.length === 0 ? '(no jobs)' : formatTable(rows),
      ...moreLine(next, style),
      ...allPausedLine(paused, style),
    ].join('\n');
  },
});
