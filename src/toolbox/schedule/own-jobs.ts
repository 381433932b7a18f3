import { RuntimeError } from '../../core/errors.ts';
import type { AgentId } from '../../core/ids.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';

/** The agent's own job. Another's does not exist for it: what others have scheduled is not its business. */
export async function getOwnJob(
  jobs: Pick<Jobs, 'get'>,
  id: string,
  agentId: AgentId,
): Promise<Job> {
  const job = await findOwnJob(jobs, id, agentId);
  if (job) return job;
  throw new RuntimeError('not_found', `job ${id} does not exist`, { details: { thing: 'job' } });
}

export async function findOwnJob(
  jobs: Pick<Jobs, 'get'>,
  id: string,
  agentId: AgentId,
): Promise<Job | undefined> {
  try {
    const job = await jobs.get(id);
    return job.agentId === agentId ? job : undefined;
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

const PAGE_JOBS = 200;

/** An agent with more than this many jobs goes through them by id. */
const MAX_PAGES = 10;

export async function listOwnJobs(jobs: Pick<Jobs, 'list'>, agentId: AgentId): Promise<Job[]> {
  const own: Job[] = [];
  let page = await jobs.list({ agentId, limit: PAGE_JOBS });
  own.push(...page.jobs);
  for (let read = 1; page.next !== undefined && read < MAX_PAGES; read += 1) {
    page = await jobs.list({ agentId, limit: PAGE_JOBS, after: page.next });
    own.push(...page.jobs);
  }
  return own;
}
