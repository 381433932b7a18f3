import { defined } from '../../core/defined.ts';
import type { WorkerId } from '../../core/ids.ts';
import type { WorkerOversight } from '../../core/workers/oversee-workers.ts';
import { encodeNext } from '../cursor.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { decodeWorkerCursor, encodeWorker } from './worker-codec.ts';

export interface WorkerKeeping {
  readonly workers: WorkerOversight;
}

const define = operationsWith(() => import('./worker-shapes.ts'));

const TAGS = ['workers'];
const WORKERS = '/api/admin/workers';
const BY_OPERATOR = 'stopped by the operator';

export const listWorkers = define({
  name: 'workers.list',
  method: 'GET',
  path: WORKERS,
  effect: 'read',
  summary: 'List workers',
  description: 'Those of all principals, also ended ones that are not forgotten yet, by id.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ workerQuery, workerPage }) => ({
    query: workerQuery,
    answers: { 200: answer('Workers by id.', workerPage) },
  }),
  async run({ workers }: WorkerKeeping, { query: { status, limit, cursor } }) {
    const after = cursor === undefined ? undefined : decodeWorkerCursor(cursor);
    const page = await workers.list({ limit, ...defined({ status, after }) });
    return {
      workers: page.workers.map((worker) => encodeWorker(worker, workers)),
      next_cursor: encodeNext(page.next),
    };
  },
});

export const getWorker = define({
  name: 'workers.get',
  method: 'GET',
  path: `${WORKERS}/:worker_id`,
  effect: 'read',
  summary: 'Read a worker',
  description: 'How it stands, and when it was last heard of.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ workerParams, worker }) => ({
    params: workerParams,
    answers: { 200: answer('The worker.', worker) },
  }),
  run: async ({ workers }: WorkerKeeping, { params }) =>
    encodeWorker(await workers.get(params.worker_id as WorkerId), workers),
});

export const stopWorker = define({
  name: 'workers.stop',
  method: 'POST',
  path: `${WORKERS}/:worker_id/stop`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Stop a worker',
  description:
    'Its program ends, and its open requests are answered as of unknown outcome. Again changes nothing.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 503],
  wire: ({ workerParams, stopBody, worker }) => ({
    params: workerParams,
    body: stopBody,
    answers: { 200: answer('The worker, stopped.', worker) },
  }),
  run: async ({ workers }: WorkerKeeping, { params, body }) =>
    encodeWorker(
      await workers.stop(params.worker_id as WorkerId, body?.reason ?? BY_OPERATOR),
      workers,
    ),
});

/** In the order of the documentation. */
export const WORKER_OPERATIONS: readonly AnyOperation<WorkerKeeping>[] = [
  listWorkers,
  getWorker,
  stopWorker,
];
