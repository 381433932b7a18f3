import { RuntimeError } from '../../core/errors.ts';
import { type AgentId, JOB_ID_PATTERN, type JobId } from '../../core/ids.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import type { SchedulerState } from '../../core/schedule/scheduler-state.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import {
  decodeHistoryCursor,
  encodeHistory,
  encodeJob,
  encodePreview,
  encodeSchedulerState,
} from '../http/job-codec.ts';
import type { JobShape } from '../http/job-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { JOB_ROUTES } from './job-documents.ts';
import { DEFAULT_FIELDS, decodeJobFields } from './job-schema.ts';

export interface SchedulerRoutesDeps {
  readonly jobs: Jobs;
  readState(): Promise<SchedulerState>;
}

export function addSchedulerRoutes(app: SurfaceApp, deps: SchedulerRoutesDeps): void {
  const { jobs } = deps;

  app.get('/scheduler', { schema: JOB_ROUTES.state }, async (_request, reply) =>
    reply.send(encodeSchedulerState(await deps.readState())),
  );

  app.get('/scheduler/jobs', { schema: JOB_ROUTES.list }, async (request, reply) => {
    const { agent_id: agentId, limit, cursor } = request.query;
    const page = await jobs.list({
      limit,
      ...(agentId === undefined ? {} : { agentId: agentId as AgentId }),
      ...(cursor === undefined ? {} : { after: decodeJobCursor(cursor) }),
    });
    const next = page.next === undefined ? null : encodeCursor(page.next);
    return reply.send({ jobs: await encodeAll(jobs, page.jobs), next_cursor: next });
  });

  app.post('/scheduler/control', { schema: JOB_ROUTES.control }, async (request, reply) => {
    const { action, job_id: id } = request.body;
    if (id === undefined) await (action === 'pause' ? jobs.pauseAll() : jobs.resumeAll());
    const job = id === undefined ? undefined : await jobs[action](id);
    const paused = await jobs.isPaused();
    const shown = job === undefined ? {} : { job: await encodeOne(jobs, job) };
    return reply.send({ ok: true, paused, ...shown });
  });

  addJobRoutes(app, jobs);
  addJobChangeRoutes(app, jobs);
}

function addJobRoutes(app: SurfaceApp, jobs: Jobs): void {
  app.get('/scheduler/jobs/:job_id', { schema: JOB_ROUTES.get }, async (request, reply) =>
    reply.send(await encodeOne(jobs, await jobs.get(request.params.job_id))),
  );

  app.get(
    '/scheduler/jobs/:job_id/history',
    { schema: JOB_ROUTES.history },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? {} : { before: decodeHistoryCursor(cursor) };
      const id = request.params.job_id;
      return reply.send(encodeHistory(id, await jobs.history(id, { limit, ...before })));
    },
  );

  app.get(
    '/scheduler/jobs/:job_id/preview',
    { schema: JOB_ROUTES.preview },
    async (request, reply) => {
      const job = await jobs.get(request.params.job_id);
      return reply.send(encodePreview(job, await jobs.preview(job.id, request.query.count)));
    },
  );
}

function addJobChangeRoutes(app: SurfaceApp, jobs: Jobs): void {
  app.post('/scheduler/jobs', { schema: JOB_ROUTES.create }, async (request, reply) => {
    const { job_id: id, agent_id: agentId, schedule, message } = request.body;
    const fields = { ...decodeJobFields(request.body), agentId, schedule, message };
    const { job, replayed } = await jobs.create({ id, ...fields });
    reply.header('location', `/api/admin/scheduler/jobs/${job.id}`);
    return reply.code(replayed ? 200 : 201).send(await encodeOne(jobs, job));
  });

  app.put('/scheduler/jobs/:job_id', { schema: JOB_ROUTES.replace }, async (request, reply) => {
    const { job_id: id } = request.params;
    if (request.body.job_id !== undefined && request.body.job_id !== id) {
      throw new RuntimeError('invalid_input', 'job_id of the body and of the path differ');
    }
    const fields = { ...DEFAULT_FIELDS, ...decodeJobFields(request.body) };
    return reply.send(await encodeOne(jobs, await jobs.update(id, fields)));
  });

  app.patch('/scheduler/jobs/:job_id', { schema: JOB_ROUTES.patch }, async (request, reply) => {
    const changed = await jobs.update(request.params.job_id, decodeJobFields(request.body));
    return reply.send(await encodeOne(jobs, changed));
  });

  app.delete('/scheduler/jobs/:job_id', { schema: JOB_ROUTES.remove }, async (request, reply) => {
    await jobs.remove(request.params.job_id);
    return reply.send({ ok: true, removed: request.params.job_id });
  });
}

async function encodeOne(jobs: Jobs, job: Job): Promise<JobShape> {
  return encodeJob(job, (await jobs.lastFired([job])).get(job.id));
}

async function encodeAll(jobs: Jobs, list: readonly Job[]): Promise<JobShape[]> {
  const lastRuns = await jobs.lastFired(list);
  return list.map((job) => encodeJob(job, lastRuns.get(job.id)));
}

function decodeJobCursor(cursor: string): JobId {
  return decodeCursor(cursor, (place) => JOB_ID_PATTERN.test(place)) as JobId;
}
