import { type SubmitToSessionDeps, submitToSession } from '../../core/chat/submit-to-session.ts';
import type { AgentId, RunId, SessionId } from '../../core/ids.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { decodeRunCursor, encodeCancelResult, encodeRun, encodeRunPage } from './codec.ts';
import {
  cancelReceipt,
  cancelRunBody,
  createRunBody,
  createRunHeaders,
  listRunsQuery,
  type RunCreated,
  runCreated,
  runDetail,
  runList,
  runParams,
} from './schema.ts';

const TAGS = ['runs'];

const createRun = {
  summary: 'Create a run',
  description:
    'Stores the run and answers. It is durable before the answer: a crash can no longer lose it. ' +
    'A repeated Idempotency-Key answers with the first run and the header `idempotent-replay: true`. ' +
    'Runs of one session are executed one after the other.',
  tags: TAGS,
  security: BEARER,
  headers: createRunHeaders,
  querystring: noQuery,
  body: createRunBody,
  response: {
    202: answer('The run is stored and will be executed.', runCreated),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

const listRuns = {
  summary: 'List runs, newest first',
  description:
    'Pages by cursor. A page may hold fewer runs than `limit` when their texts are long; only a `next_cursor` ' +
    'of null says that it is the last.',
  tags: TAGS,
  security: BEARER,
  querystring: listRunsQuery,
  response: {
    200: answer('One page of runs, without their traces.', runList),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const getRun = {
  summary: 'Read a run',
  description: 'Status, output and what the run did with tools.',
  tags: TAGS,
  security: BEARER,
  params: runParams,
  querystring: noQuery,
  response: {
    200: answer('The run as it is now.', runDetail),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

const cancelRun = {
  summary: 'Cancel a run',
  description:
    'Idempotent. 202 when this call recorded the wish, 200 when it was there or the run had ended.',
  tags: TAGS,
  security: BEARER,
  params: runParams,
  querystring: noQuery,
  body: cancelRunBody,
  response: {
    200: answer('Nothing changed.', cancelReceipt),
    202: answer('The wish is stored.', cancelReceipt),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503),
  },
};

export interface RunRouteDeps extends SubmitToSessionDeps {
  readonly runs: Runs;
}

export function addRunRoutes(app: SurfaceApp, deps: RunRouteDeps): void {
  const { runs } = deps;

  app.post('/runs', { schema: createRun }, async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const { agent_id: agentId, message, session_id: sessionId, model } = request.body;
    const receipt = await submitToSession(deps, {
      agentId: agentId as AgentId,
      message,
      source: 'http',
      ...(sessionId === undefined ? {} : { sessionId: sessionId as SessionId }),
      ...(model === undefined ? {} : { model }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
    if (receipt.replayed) reply.header('idempotent-replay', 'true');
    reply.header('location', `/v1/runs/${receipt.run.id}`);
    const created: RunCreated = { id: receipt.run.id, status: 'queued' };
    return reply.code(202).send(created);
  });

  app.get('/runs', { schema: listRuns }, async (request, reply) => {
    const { status, agent_id: agentId, session_id: sessionId, limit, cursor } = request.query;
    const page = await runs.list({
      limit,
      ...(status === undefined ? {} : { status }),
      ...(agentId === undefined ? {} : { agentId: agentId as AgentId }),
      ...(sessionId === undefined ? {} : { sessionId: sessionId as SessionId }),
      ...(cursor === undefined ? {} : { before: decodeRunCursor(cursor) }),
    });
    return reply.send(encodeRunPage(page));
  });

  app.get('/runs/:run_id', { schema: getRun }, async (request, reply) => {
    const run = await runs.get(request.params.run_id as RunId);
    return reply.send(encodeRun(run, await runs.trace(run.id)));
  });

  app.post('/runs/:run_id/cancel', { schema: cancelRun }, async (request, reply) => {
    const result = await runs.cancel({
      runId: request.params.run_id as RunId,
      reason: request.body?.reason ?? '',
      actor: 'user',
    });
    return reply.code(result.recorded ? 202 : 200).send(encodeCancelResult(result));
  });
}
