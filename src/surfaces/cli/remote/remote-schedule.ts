import { z } from 'zod';
import { RuntimeError } from '../../../core/errors.ts';
import type { UpdateJob } from '../../../core/schedule/jobs.ts';
import {
  type JobShape,
  job,
  jobHistory,
  jobList,
  jobPreview,
  schedulerState,
} from '../../http/job-shapes.ts';
import type { ScheduleAccess } from '../schedule-access.ts';
import { at, createAdminClient, toQuery } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

const done = z.object({ ok: z.literal(true) });
const controlled = z.object({ paused: z.boolean(), job: job.optional() });

/** The jobs of a running server, which fires them. */
export function createRemoteSchedule(options: ServerLinkOptions): ScheduleAccess {
  const { get, put, patch, remove } = createAdminClient(options);

  async function control(action: 'pause' | 'resume', id: string): Promise<JobShape> {
    const answer = await put('/scheduler/control', controlled, { action, job_id: id });
    if (answer.job) return answer.job;
    throw new RuntimeError('internal', `the server's answer says nothing about job ${id}`);
  }

  return {
    list: (query) => get(`/scheduler/jobs${toQuery(query)}`, jobList),
    get: (id) => get(at`/scheduler/jobs/${id}`, job),
    history: (id, query) => get(at`/scheduler/jobs/${id}/history` + toQuery(query), jobHistory),
    preview: (id, count) => get(at`/scheduler/jobs/${id}/preview` + toQuery({ count }), jobPreview),
    isPaused: async () => (await get('/scheduler', schedulerState)).paused,
    // The id is given, so the same job again is answered with the first.
    create: ({ id, ...given }) =>
      put('/scheduler/jobs', job, {
        mode: 'isolated',
        enabled: true,
        ...encodeFields(given),
        job_id: id,
      }),
    update: (id, change) => patch(at`/scheduler/jobs/${id}`, job, encodeFields(change)),
    async remove(id) {
      await remove(at`/scheduler/jobs/${id}`, done);
    },
    pause: (id) => control('pause', id),
    resume: (id) => control('resume', id),
    async pauseAll() {
      await put('/scheduler/control', controlled, { action: 'pause' });
    },
    async resumeAll() {
      await put('/scheduler/control', controlled, { action: 'resume' });
    },
  };
}

/** What was not given stays out of the body, and what is there stays as it is. */
function encodeFields(fields: UpdateJob): object {
  const body = {
    agent_id: fields.agentId,
    schedule: fields.schedule,
    message: fields.message,
    mode: fields.mode,
    notify: fields.notify,
    enabled: fields.isEnabled,
    timezone: fields.timezone,
    catch_up: fields.catchUp,
    first_run_at: fields.firstRunAt,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
