import { defined } from '../../core/defined.ts';
import type { RunId } from '../../core/ids.ts';
import type { Forks } from '../../core/replay/forks.ts';
import type { Replays } from '../../core/replay/replays.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import { encodeDiff, encodeReplay } from './replay-codec.ts';

/** For those who only look. */
export interface ReplayReading {
  readonly replays: Pick<Replays, 'replay' | 'diff'>;
}

export interface ForkWriting extends ReplayReading {
  readonly forks: Forks;
  /** What new runs come from. */
  readonly source: 'http' | 'cli';
}

const define = operationsWith(async () => ({
  ...(await import('./run-shapes.ts')),
  ...(await import('./replay-shapes.ts')),
}));

const TAGS = ['runs'];
const RUNS = '/v1/runs';
const ONE_RUN = `${RUNS}/:run_id` as const;

export const replayRun = define({
  name: 'runs.replay',
  method: 'POST',
  path: `${ONE_RUN}/replay`,
  effect: 'read',
  isRepeatable: true,
  summary: 'Play a run again from its log',
  description:
    'Runs the loop again over an ended run: models, tools, clocks and people answer from its events. Nothing is called ' +
    'and nothing is written. The answer says whether the loop made the same events again, or shows both sides of the ' +
    'first that differs. 409 while the run goes on, 410 when the beginning of its log is no longer kept.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 410, 413, 415, 429, 500, 503],
  wire: ({ runParams, replay }) => ({
    params: runParams,
    answers: { 200: answer('What came of it.', replay) },
  }),
  async run({ replays }: ReplayReading, { params }) {
    const runId = params.run_id as RunId;
    return encodeReplay(runId, await replays.replay(runId));
  },
});

export const forkRun = define({
  name: 'runs.fork',
  method: 'POST',
  path: `${ONE_RUN}/fork`,
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Go on from an event of a run',
  description:
    'A new run that knows what an ended run had done by an event, and goes on by itself: with another message, another ' +
    'model or another agent. It acts for the same principal, belongs to no session, and asks before each tool that acts ' +
    'outward. A repeated Idempotency-Key answers with the first fork and the header `idempotent-replay: true`.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 410, 413, 415, 429, 500, 503],
  wire: ({ runParams, createRunHeaders, forkRunBody, forkCreated }) => ({
    params: runParams,
    headers: createRunHeaders,
    body: forkRunBody,
    answers: { 202: answer('The new run is stored and will be executed.', forkCreated) },
  }),
  async run({ forks, source }: ForkWriting, { params, headers, body }) {
    const { run, replayed } = await forks.fork({
      runId: params.run_id as RunId,
      atSeq: body.at_seq,
      source,
      ...defined({
        message: body.message,
        model: body.model,
        agentId: body.agent_id,
        idempotencyKey: headers['idempotency-key'],
      }),
    });
    const created = {
      id: run.id,
      status: 'queued' as const,
      forked_from: { run_id: params.run_id, seq: body.at_seq },
    };
    return new Reply(202, created, {
      ...(replayed ? { 'idempotent-replay': 'true' } : {}),
      location: `${RUNS}/${run.id}`,
    });
  },
});

export const diffRuns = define({
  name: 'runs.diff',
  method: 'GET',
  path: `${ONE_RUN}/diff`,
  effect: 'read',
  summary: 'Compare two runs',
  description:
    'What both did, side by side, without ids and times, and the first step that differs. Where one is a fork of the ' +
    'other, they are compared from where it went its own way. 410 when the beginning of a log is no longer kept.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 410, 413, 429, 500, 503],
  wire: ({ runParams, diffQuery, runDiff }) => ({
    params: runParams,
    query: diffQuery,
    answers: { 200: answer('The comparison.', runDiff) },
  }),
  async run({ replays }: ReplayReading, { params, query }) {
    const [left, right] = [params.run_id as RunId, query.with as RunId];
    return encodeDiff(left, right, await replays.diff(left, right));
  },
});

export const REPLAY_OPERATIONS: readonly AnyOperation<ForkWriting>[] = [
  replayRun,
  forkRun,
  diffRuns,
];
