import { z } from 'zod';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { job, jobHistory, jobList, jobPreview, schedulerState } from '../http/job-shapes.ts';
import {
  controlBody,
  createJobBody,
  historyQuery,
  jobParams,
  listJobsQuery,
  patchJobBody,
  previewQuery,
  replaceJobBody,
} from './job-schema.ts';

const COMMON = { tags: ['scheduler'], security: BEARER };
const LIST_ERRORS = errorAnswers(400, 401, 403, 429, 500, 503);
const READ_ERRORS = errorAnswers(400, 401, 403, 404, 429, 500, 503);
const WRITE_ERRORS = errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503);

/** The routes of the scheduler, for the validation and for people. */
export const JOB_ROUTES = {
  state: {
    ...COMMON,
    summary: 'The scheduler at a glance',
    description: 'Whether jobs fire, how many there are, and which is due next.',
    querystring: noQuery,
    response: { 200: answer('How it is now.', schedulerState), ...LIST_ERRORS },
  },
  list: {
    ...COMMON,
    summary: 'List jobs',
    description: 'By id. Pages by cursor.',
    querystring: listJobsQuery,
    response: { 200: answer('One page of jobs.', jobList), ...LIST_ERRORS },
  },
  create: {
    ...COMMON,
    summary: 'Create a job',
    description:
      'Fires at `@every <duration>` or once at an RFC 3339 time. The same job again under its id is 200, another ' +
      'one is 409.',
    querystring: noQuery,
    body: createJobBody,
    response: {
      200: answer('It was there already.', job),
      201: answer('The job.', job),
      ...WRITE_ERRORS,
    },
  },
  get: {
    ...COMMON,
    summary: 'Read a job',
    description: 'With its next time and its last run.',
    params: jobParams,
    querystring: noQuery,
    response: { 200: answer('The job.', job), ...READ_ERRORS },
  },
  replace: {
    ...COMMON,
    summary: 'Replace a job',
    description: 'What is left out falls back to its default. A new schedule counts from now.',
    params: jobParams,
    querystring: noQuery,
    body: replaceJobBody,
    response: { 200: answer('The job after the change.', job), ...WRITE_ERRORS },
  },
  patch: {
    ...COMMON,
    summary: 'Change a job',
    description: 'Fields that are given. A new schedule counts from now.',
    params: jobParams,
    querystring: noQuery,
    body: patchJobBody,
    response: { 200: answer('The job after the change.', job), ...WRITE_ERRORS },
  },
  remove: {
    ...COMMON,
    summary: 'Remove a job',
    description: 'Its history goes with it; runs it made stay.',
    params: jobParams,
    querystring: noQuery,
    response: {
      200: answer('It is gone.', z.object({ ok: z.literal(true), removed: z.string() })),
      ...READ_ERRORS,
    },
  },
  history: {
    ...COMMON,
    summary: "Read a job's history",
    description: 'What became of its slots, newest first. Pages by cursor.',
    params: jobParams,
    querystring: historyQuery,
    response: { 200: answer('One page of slots.', jobHistory), ...READ_ERRORS },
  },
  preview: {
    ...COMMON,
    summary: "Preview a job's next times",
    description: 'None for a job that will not fire.',
    params: jobParams,
    querystring: previewQuery,
    response: { 200: answer('The times.', jobPreview), ...READ_ERRORS },
  },
  control: {
    ...COMMON,
    summary: 'Pause or resume',
    description:
      'One job, or all firing. Slots that pass while a job is paused are not counted as missed.',
    querystring: noQuery,
    body: controlBody,
    response: {
      200: answer(
        'How it is now.',
        z.object({
          ok: z.literal(true),
          paused: z.boolean().meta({ description: 'Whether all firing is held back.' }),
          job: job.optional(),
        }),
      ),
      ...WRITE_ERRORS,
    },
  },
};
