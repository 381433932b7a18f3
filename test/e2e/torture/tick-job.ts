import { type RequestOptions, request } from './http-request.ts';
import { TICK_MODEL } from './workload-script.ts';

export const TICK_AGENT_ID = 'agent_clock';
export const TICK_JOB_ID = 'job_tick';
export const TICK_MS = 1_000;

const SCHEDULER_PATH = '/api/admin/scheduler';
const END_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/** Makes a job that is due every second, with an agent of its own: its runs touch no file of the workload. */
export async function startTicking(url: string): Promise<void> {
  await ask(`${url}/api/admin/agents`, {
    method: 'POST',
    body: { agent_id: TICK_AGENT_ID, model: TICK_MODEL },
  });
  await ask(`${url}${SCHEDULER_PATH}/jobs`, {
    method: 'POST',
    body: {
      job_id: TICK_JOB_ID,
      agent_id: TICK_AGENT_ID,
      schedule: '@every 1s',
      message: 'what time is it?',
      mode: 'isolated',
      enabled: true,
    },
  });
}

/** No more slots; resolves when its last run has ended. */
export async function stopTicking(url: string): Promise<void> {
  await ask(`${url}${SCHEDULER_PATH}/control`, {
    method: 'POST',
    body: { action: 'pause', job_id: TICK_JOB_ID },
  });
  const deadlineMs = performance.now() + END_TIMEOUT_MS;
  // One run of a job is open at most: when the last one has ended, all have.
  while (!(await hasLastRunEnded(url))) {
    if (performance.now() > deadlineMs) throw new Error(`${TICK_JOB_ID}: its last run goes on`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function hasLastRunEnded(url: string): Promise<boolean> {
  const job = await ask(`${url}${SCHEDULER_PATH}/jobs/${TICK_JOB_ID}`, {});
  const { last_run: last } = job as { readonly last_run: { readonly run_status: string } | null };
  return last === null || ['completed', 'failed', 'cancelled'].includes(last.run_status);
}

async function ask(url: string, options: RequestOptions): Promise<unknown> {
  const { status, body } = await request(url, options);
  if (status < 300) return body;
  throw new Error(`${url} answered ${status}: ${JSON.stringify(body)}`);
}
