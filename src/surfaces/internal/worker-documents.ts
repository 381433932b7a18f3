import { answer } from '../http/answers/answers.ts';
import { BODY_ERRORS, errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';
import {
  askWorkerBody,
  createWorkerBody,
  listWorkersQuery,
  reportEventBody,
  reportReceipt,
  stopReceipt,
  stopWorkerBody,
  workerAnswer,
  workerHeaders,
  workerList,
  workerParams,
  workerReceipt,
  workerSnapshot,
  workerStreamFrame,
  workerStreamHeaders,
  workerStreamQuery,
} from './worker-schema.ts';

const COMMON = { tags: ['workers'], security: SIGNED, headers: workerHeaders };
const ONE = { ...COMMON, params: workerParams };

/** The routes of workers, for the validation and for people. */
export const WORKER_ROUTES = {
  list: {
    ...COMMON,
    summary: 'List workers',
    description: 'Those of the principal, the latest changed first.',
    querystring: listWorkersQuery,
    response: { 200: answer('The workers.', workerList), ...errorAnswers(...SIGNED_ERRORS) },
  },
  create: {
    ...COMMON,
    summary: 'Create or reattach a worker',
    description:
      'A worker that is attached answers 200 and stays as it is. One that was stopped or has failed is attached ' +
      'again; what the request leaves out stays as it was. A program that can not be started leaves a worker in ' +
      'status failed. One that is just stopping is a conflict.',
    body: createWorkerBody,
    response: {
      200: answer('It was attached already.', workerReceipt),
      202: answer('It is attached, or has failed to start: see `status`.', workerReceipt),
      ...errorAnswers(...SIGNED_ERRORS, 409, ...BODY_ERRORS),
    },
  },
  snapshot: {
    ...ONE,
    summary: 'Read a worker',
    description: 'Its status, its latest seq and when it was last heard of.',
    response: {
      200: answer('The worker as it is now.', workerSnapshot),
      ...errorAnswers(...SIGNED_ERRORS, 404),
    },
  },
  ask: {
    ...ONE,
    summary: 'Ask a worker',
    description:
      'One JSON-RPC request, and its answer. An error of the worker is 200 with `ok: false`: -32001 when too many ' +
      'requests wait, which is not kept and may be tried again, and -32000 when it did not answer in time or ended ' +
      'first; then nobody knows what came of it. The same request_id with the same request answers with the first ' +
      'answer, with another one it is a conflict.',
    body: askWorkerBody,
    response: {
      200: answer('What the worker answered.', workerAnswer),
      ...errorAnswers(...SIGNED_ERRORS, 404, 409, ...BODY_ERRORS),
    },
  },
  stop: {
    ...ONE,
    summary: 'Stop a worker',
    description:
      'Answers when it has ended. A program is told to shut down and its input is closed; after the grace it gets ' +
      'SIGTERM, after another one SIGKILL, with everything it started.',
    body: stopWorkerBody,
    response: {
      200: answer('It had ended already.', stopReceipt),
      202: answer('It has ended.', stopReceipt),
      ...errorAnswers(...SIGNED_ERRORS, 404, ...BODY_ERRORS),
    },
  },
  report: {
    ...ONE,
    summary: 'Report an event of a worker',
    description:
      'For workers that run elsewhere: any type that starts with `worker.`; worker.stopped and worker.failed end it.',
    body: reportEventBody,
    response: {
      202: answer('The event as it is stored.', reportReceipt),
      ...errorAnswers(...SIGNED_ERRORS, 404, 409, ...BODY_ERRORS),
    },
  },
  stream: {
    ...ONE,
    summary: 'Stream a worker',
    description:
      'Server-sent events: `event: codex.worker.event`, `id` is the `seq`, `data` is JSON. It closes when nothing ' +
      'happens for `tail_ms`: sign a new request with the last id seen and go on.',
    querystring: workerStreamQuery,
    headers: workerStreamHeaders,
    response: {
      200: {
        description: 'The events after the cursor, then what happens next.',
        content: { 'text/event-stream': { schema: workerStreamFrame } },
      },
      ...errorAnswers(...SIGNED_ERRORS, 404, 410),
    },
  },
  probe: {
    hide: true,
    params: workerParams,
    querystring: workerStreamQuery,
    headers: workerStreamHeaders,
  },
};
