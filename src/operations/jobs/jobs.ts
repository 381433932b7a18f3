import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { AgentId } from '../../core/ids.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { JobReader, Jobs } from '../../core/schedule/jobs.ts';
import type { SchedulerState } from '../../core/schedule/scheduler-state.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import {
  DEFAULT_FIELDS,
  decodeHistoryCursor,
  decodeJobCursor,
  decodeJobFields,
  encodeHistory,
  encodeJob,
  encodeJobPage,
  encodePreview,
  encodeSchedulerState,
} from './job-codec.ts';
import type { JobShape } from './job-shapes.ts';

/** For those who only look. */
export interface JobReading {
  readonly jobs: JobReader;
  readState(): Promise<SchedulerState>;
}

export interface JobWriting extends JobReading {
  readonly jobs: Jobs;
}

const define = operationsWith(() => import('./job-shapes.ts'));

const TAGS = ['scheduler'];
const LIST_ERRORS = [400, 401, 403, 429, 500, 503] as const;
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const WRITE_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const;
const SCHEDULER = '/api/admin/scheduler';
const JOBS = `${SCHEDULER}/jobs` as const;
const ONE_JOB = `${JOBS}/:job_id` as const;

export const readScheduler = define({
  name: 'scheduler.read',
  method: 'GET',
  path: SCHEDULER,
  effect: 'read',
  summary: 'The scheduler at a glance',
  description: 'Whether jobs fire, how many there are, and which is due next.',
  tags: TAGS,
  errors: LIST_ERRORS,
  wire: ({ schedulerState }) => ({ answers: { 200: answer('How it is now.', schedulerState) } }),
  run: async ({ readState }: JobReading) => encodeSchedulerState(await readState()),
});

export const controlScheduler = define({
  name: 'scheduler.control',
  method: 'POST',
  path: `${SCHEDULER}/control`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Pause or resume',
  description:
    'One job, or all firing. Slots that pass while a job is paused are not counted as missed.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ controlBody, controlled }) => ({
    body: controlBody,
    answers: { 200: answer('How it is now.', controlled) },
  }),
  async run({ jobs }: JobWriting, { body: { action, job_id: id } }) {
    if (id === undefined) await (action === 'pause' ? jobs.pauseAll() : jobs.resumeAll());
    const job = id === undefined ? undefined : await jobs[action](id);
    const paused = await jobs.isPaused();
    return {
      ok: true as const,
      paused,
      ...(job === undefined ? {} : { job: await show(jobs, job) }),
    };
  },
});

export const listJobs = define({
  name: 'jobs.list',
  method: 'GET',
  path: JOBS,
  effect: 'read',
  summary: 'List jobs',
  description: 'By id. Pages by cursor.',
  tags: TAGS,
  errors: LIST_ERRORS,
  wire: ({ listJobsQuery, jobList }) => ({
    query: listJobsQuery,
    answers: { 200: answer('One page of jobs.', jobList) },
  }),
  async run({ jobs }: JobReading, { query: { agent_id: agentId, limit, cursor } }) {
    const page = await jobs.list({
      limit,
      ...defined({ agentId: agentId as AgentId | undefined }),
      ...(cursor === undefined ? {} : { after: decodeJobCursor(cursor) }),
    });
    return encodeJobPage(page, await jobs.lastFired(page.jobs));
  },
});

export const createJob = define({
  name: 'jobs.create',
  method: 'POST',
  path: JOBS,
  effect: 'write',
  // The id is given, so the same job again is answered with the first.
  isRepeatable: true,
  summary: 'Create a job',
  description:
    'Fires at `@every <duration>` or once at an RFC 3339 time. The same job again under its id is 200, another ' +
    'one is 409.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ createJobBody, job }) => ({
    body: createJobBody,
    answers: { 200: answer('It was there already.', job), 201: answer('The job.', job) },
  }),
  async run({ jobs }: JobWriting, { body }) {
    const { job_id: id, agent_id: agentId, schedule, message } = body;
    const fields = { ...decodeJobFields(body), agentId, schedule, message };
    const { job, replayed } = await jobs.create({ id, ...fields });
    const location = `${JOBS}/${job.id}`;
    return new Reply(replayed ? 200 : 201, await show(jobs, job), { location });
  },
});

export const getJob = define({
  name: 'jobs.get',
  method: 'GET',
  path: ONE_JOB,
  effect: 'read',
  summary: 'Read a job',
  description: 'With its next time and its last run.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ jobParams, job }) => ({ params: jobParams, answers: { 200: answer('The job.', job) } }),
  run: async ({ jobs }: JobReading, { params }) => show(jobs, await jobs.get(params.job_id)),
});

const replaceJob = define({
  name: 'jobs.replace',
  method: 'PUT',
  path: ONE_JOB,
  effect: 'write',
  summary: 'Replace a job',
  description: 'What is left out falls back to its default. A new schedule counts from now.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ jobParams, replaceJobBody, job }) => ({
    params: jobParams,
    body: replaceJobBody,
    answers: { 200: answer('The job after the change.', job) },
  }),
  async run({ jobs }: JobWriting, { params: { job_id: id }, body }) {
    if (body.job_id !== undefined && body.job_id !== id) {
      throw new RuntimeError('invalid_input', 'job_id of the body and of the path differ');
    }
    const fields = { ...DEFAULT_FIELDS, ...decodeJobFields(body) };
    return show(jobs, await jobs.update(id, fields));
  },
});

export const changeJob = define({
  name: 'jobs.change',
  method: 'PATCH',
  path: ONE_JOB,
  effect: 'write',
  summary: 'Change a job',
  description: 'Fields that are given. A new schedule counts from now.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ jobParams, patchJobBody, job }) => ({
    params: jobParams,
    body: patchJobBody,
    answers: { 200: answer('The job after the change.', job) },
  }),
  run: async ({ jobs }: JobWriting, { params, body }) =>
    show(jobs, await jobs.update(params.job_id, decodeJobFields(body))),
});

export const removeJob = define({
  name: 'jobs.remove',
  method: 'DELETE',
  path: ONE_JOB,
  effect: 'write',
  summary: 'Remove a job',
  description: 'Its history goes with it; runs it made stay.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ jobParams, jobRemoved }) => ({
    params: jobParams,
    answers: { 200: answer('It is gone.', jobRemoved) },
  }),
  async run({ jobs }: JobWriting, { params: { job_id: id } }) {
    await jobs.remove(id);
    return { ok: true as const, removed: id };
  },
});

export const readJobHistory = define({
  name: 'jobs.history',
  method: 'GET',
  path: `${ONE_JOB}/history`,
  effect: 'read',
  summary: "Read a job's history",
  description: 'What became of its slots, newest first. Pages by cursor.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ jobParams, historyQuery, jobHistory }) => ({
    params: jobParams,
    query: historyQuery,
    answers: { 200: answer('One page of slots.', jobHistory) },
  }),
  async run({ jobs }: JobReading, { params: { job_id: id }, query: { limit, cursor } }) {
    const before = cursor === undefined ? {} : { before: decodeHistoryCursor(cursor) };
    return encodeHistory(id, await jobs.history(id, { limit, ...before }));
  },
});

export const previewJob = define({
  name: 'jobs.preview',
  method: 'GET',
  path: `${ONE_JOB}/preview`,
  effect: 'read',
  summary: "Preview a job's next times",
  description: 'None for a job that will not fire.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ jobParams, previewQuery, jobPreview }) => ({
    params: jobParams,
    query: previewQuery,
    answers: { 200: answer('The times.', jobPreview) },
  }),
  async run({ jobs }: JobReading, { params, query }) {
    const job = await jobs.get(params.job_id);
    return encodePreview(job, await jobs.preview(job.id, query.count));
  },
});

/** In the order of the documentation. */
export const JOB_OPERATIONS: readonly AnyOperation<JobWriting>[] = [
  readScheduler,
  listJobs,
  controlScheduler,
  getJob,
  readJobHistory,
  previewJob,
  createJob,
  replaceJob,
  changeJob,
  removeJob,
];

async function show(jobs: JobReader, job: Job): Promise<JobShape> {
  return encodeJob(job, (await jobs.lastFired([job])).get(job.id));
}
