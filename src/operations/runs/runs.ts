import { type SubmitToSessionDeps, submitToSession } from '../../core/chat/submit-to-session.ts';
import { defined } from '../../core/defined.ts';
import type { AgentId, RunId, SessionId } from '../../core/ids.ts';
import type { RunReader, Runs } from '../../core/runs/runs.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import {
  decodeRunSearch,
  encodeCancelResult,
  encodeRun,
  encodeRunPage,
  encodeSteerReceipt,
  encodeTrace,
} from './run-codec.ts';

/** For those who only look. */
export interface RunReading {
  readonly runs: RunReader;
}

export interface RunWriting extends RunReading, SubmitToSessionDeps {
  readonly runs: Runs;
  /** What new runs come from. */
  readonly source: 'http' | 'cli';
}

export interface TraceReading {
  readonly runs: Pick<RunReader, 'get' | 'trace'>;
}

const define = operationsWith(() => import('./run-shapes.ts'));

const TAGS = ['runs'];
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const RUNS = '/v1/runs';
const ONE_RUN = `${RUNS}/:run_id` as const;

export const createRun = define({
  name: 'runs.create',
  method: 'POST',
  path: RUNS,
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Create a run',
  description:
    'Stores the run and answers. It is durable before the answer: a crash can no longer lose it. ' +
    'A repeated Idempotency-Key answers with the first run and the header `idempotent-replay: true`. ' +
    'Runs of one session are executed one after the other.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ createRunHeaders, createRunBody, runCreated }) => ({
    headers: createRunHeaders,
    body: createRunBody,
    answers: { 202: answer('The run is stored and will be executed.', runCreated) },
  }),
  async run(deps: RunWriting, { headers: { 'idempotency-key': key }, body }) {
    const { agent_id: agentId, message, session_id: sessionId, project_id: projectId } = body;
    const { run, replayed } = await submitToSession(deps, {
      agentId: agentId as AgentId,
      message,
      source: deps.source,
      ...defined({
        sessionId: sessionId as SessionId | undefined,
        projectId,
        model: body.model,
        idempotencyKey: key,
      }),
    });
    return new Reply(
      202,
      { id: run.id, status: 'queued' as const },
      {
        ...(replayed ? { 'idempotent-replay': 'true' } : {}),
        location: `${RUNS}/${run.id}`,
      },
    );
  },
});

export const listRuns = define({
  name: 'runs.list',
  method: 'GET',
  path: RUNS,
  effect: 'read',
  summary: 'List runs, newest first',
  description:
    'Pages by cursor. A page may hold fewer runs than `limit`, or none, when their texts are long and when `source` or ' +
    '`q` is looked for; only a `next_cursor` of null says that it is the last.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ listRunsQuery, runList }) => ({
    query: listRunsQuery,
    answers: { 200: answer('One page of runs, without their traces.', runList) },
  }),
  run: async ({ runs }: RunReading, { query }) =>
    encodeRunPage(await runs.list(decodeRunSearch(query))),
});

export const getRun = define({
  name: 'runs.get',
  method: 'GET',
  path: ONE_RUN,
  effect: 'read',
  summary: 'Read a run',
  description: 'Status, output and what the run did with tools.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ runParams, runDetail }) => ({
    params: runParams,
    answers: { 200: answer('The run as it is now.', runDetail) },
  }),
  async run({ runs }: TraceReading, { params }) {
    const run = await runs.get(params.run_id as RunId);
    return encodeRun(run, await runs.trace(run.id));
  },
});

export const cancelRun = define({
  name: 'runs.cancel',
  method: 'POST',
  path: `${ONE_RUN}/cancel`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Cancel a run',
  description:
    'Idempotent. 202 when this call recorded the wish, 200 when it was there or the run had ended.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 413, 415, 429, 500, 503],
  wire: ({ runParams, cancelRunBody, cancelReceipt }) => ({
    params: runParams,
    body: cancelRunBody,
    answers: {
      200: answer('Nothing changed.', cancelReceipt),
      202: answer('The wish is stored.', cancelReceipt),
    },
  }),
  async run({ runs }: RunWriting, { params, body }) {
    const result = await runs.cancel({
      runId: params.run_id as RunId,
      reason: body?.reason ?? '',
      actor: 'user',
    });
    return new Reply(result.recorded ? 202 : 200, encodeCancelResult(result));
  },
});

export const steerRun = define({
  name: 'runs.steer',
  method: 'POST',
  path: `${ONE_RUN}/steer`,
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Tell a run something on its way',
  description:
    'The agent reads the message with its next model turn; nothing is stopped for it, and a run that was about to end goes ' +
    'on. It is durable before the answer. A repeated Idempotency-Key with the same message is one message. 409 when the run ' +
    'has ended, is being cancelled, or asks no model.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ runParams, steerRunHeaders, steerRunBody, steerReceipt }) => ({
    params: runParams,
    headers: steerRunHeaders,
    body: steerRunBody,
    answers: {
      200: answer('The message was there already.', steerReceipt),
      202: answer('The message is stored, and its run will read it.', steerReceipt),
    },
  }),
  async run({ runs }: RunWriting, { params, headers: { 'idempotency-key': key }, body }) {
    const receipt = await runs.steer({
      runId: params.run_id as RunId,
      message: body.message,
      ...defined({ idempotencyKey: key }),
    });
    return new Reply(receipt.replayed ? 200 : 202, encodeSteerReceipt(receipt));
  },
});

export const RUN_OPERATIONS: readonly AnyOperation<RunWriting>[] = [
  createRun,
  listRuns,
  getRun,
  cancelRun,
  steerRun,
];

/** The trace alone, where operators look for it. */
export const getTrace = define({
  name: 'runs.trace',
  method: 'GET',
  path: '/api/admin/runs/:run_id/trace',
  effect: 'read',
  summary: "Read a run's trace",
  description: 'What the run did with tools so far.',
  tags: ['status'],
  errors: READ_ERRORS,
  wire: ({ tracedRunParams, tracedRun }) => ({
    params: tracedRunParams,
    answers: { 200: answer('The trace.', tracedRun) },
  }),
  async run({ runs }: TraceReading, { params }) {
    const { id } = await runs.get(params.run_id as RunId);
    return { run_id: id, trace: encodeTrace(await runs.trace(id)) };
  },
});
