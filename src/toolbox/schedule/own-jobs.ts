import { RuntimeError } from '../../core/errors.ts';
import { maySee, visibleTo } from '../../core/principal.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import type { ToolContext } from '../../core/tools/tool.ts';

/** An agent's jobs are those that it has for the one it acts for. */
type Caller = Pick<ToolContext, 'agentId' | 'principal'>;

/** The agent's own job. Another's does not exist for it: what others have scheduled is not its business. */
export async function getOwnJob(jobs: Pick<Jobs, 'get'>, id: string, caller: Caller): Promise<Job> {
  const job = await findOwnJob(jobs, id, caller);
  if (job) return job;
  throw new RuntimeError('not_found', `job ${id} does not exist`, { details: { thing: 'job' } });
}

export async function findOwnJob(
  jobs: Pick<Jobs, 'get'>,
  id: string,
  { agentId, principal }: Caller,
): Promise<Job | undefined> {
  try {
    const job = await jobs.get(id);
    return job.agentId === agentId && maySee(principal, job.owner) ? job : undefined;
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

const PAGE_JOBS = 200;

/** An agent with more than this many jobs goes through them by id. */
const MAX_PAGES = 10;

export async function listOwnJobs(
  jobs: Pick<Jobs, 'list'>,
  { agentId, principal }: Caller,
): Promise<Job[]> {
  const own: Job[] = [];
  const filter = { agentId, ...visibleTo(principal), limit: PAGE_JOBS };
  let page = await jobs.list(filter);
  own.push(...page.jobs);
  for (let read = 1; page.next !== undefined && read < MAX_PAGES; read += 1) {
    page = await jobs.list({ ...filter, after: page.next });
    own.push(...page.jobs);
  }
  return own;
}
