import type { RunId } from '../../core/ids.ts';
import type { RunReader } from '../../core/runs/runs.ts';
import type { ReadStatus } from '../../core/status.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { encodeTrace } from '../http/run-codec.ts';
import { encodeStatus } from '../http/runtime-codec.ts';
import { status, tracedRun } from '../http/runtime-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { runParams, statusQuery } from './runtime-schema.ts';

const TAGS = ['status'];

const getStatus = {
  summary: 'The runtime at a glance',
  description:
    'The newest runs, counts, the model that runs get, the scheduler, and what waits for a person. Fewer runs than ' +
    '`limit` are shown when their texts are long.',
  tags: TAGS,
  security: BEARER,
  querystring: statusQuery,
  response: {
    200: answer('How it is now.', status),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const getTrace = {
  summary: "Read a run's trace",
  description: 'What the run did with tools so far.',
  tags: TAGS,
  security: BEARER,
  params: runParams,
  querystring: noQuery,
  response: {
    200: answer('The trace.', tracedRun),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

export interface StatusRoutesDeps {
  readonly readStatus: ReadStatus;
  readonly runs: Pick<RunReader, 'get' | 'trace'>;
}

export function addStatusRoutes(app: SurfaceApp, { readStatus, runs }: StatusRoutesDeps): void {
  app.get('/status', { schema: getStatus }, async (request, reply) =>
    reply.send(encodeStatus(await readStatus({ limit: request.query.limit }))),
  );

  app.get('/runs/:run_id/trace', { schema: getTrace }, async (request, reply) => {
    const run = await runs.get(request.params.run_id as RunId);
    return reply.send({ run_id: run.id, trace: encodeTrace(await runs.trace(run.id)) });
  });
}
