import type { RunId } from '../../core/ids.ts';
import type { Replays } from '../../core/replay/replays.ts';
import type { RunReader } from '../../core/runs/runs.ts';
import { decodeTypes } from '../events/event-codec.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodePrompt } from './prompt-codec.ts';
import { encodeEvent } from './run-codec.ts';

export interface LogReading {
  readonly runs: Pick<RunReader, 'get' | 'page'>;
  readonly replays: Pick<Replays, 'prompt'>;
  readonly packBundle: PackBundle;
}

/** The bundle of an ended run as one file. */
export type PackBundle = (runId: RunId) => Promise<AsyncIterable<Uint8Array>>;

const BUNDLE_TYPE = 'application/gzip';

const define = operationsWith(async () => ({
  ...(await import('./run-shapes.ts')),
  ...(await import('./log-shapes.ts')),
}));

const readLog = define({
  name: 'runs.log',
  method: 'GET',
  path: '/v1/runs/:run_id/log',
  effect: 'read',
  summary: 'Read a window of the events of a run',
  description:
    'A page of JSON, for logs that are too long to be streamed from the start. Go on with `after` = `through_seq` while ' +
    '`has_more`, then with the stream from the same place. A page may hold fewer events than `limit`, or none.',
  tags: ['runs'],
  errors: [400, 401, 403, 404, 410, 429, 500, 503],
  wire: ({ runParams, logQuery, eventPage }) => ({
    params: runParams,
    query: logQuery,
    answers: { 200: answer('The events after the cursor.', eventPage) },
  }),
  async run({ runs }: LogReading, { params, query }) {
    const { id: runId } = await runs.get(params.run_id as RunId);
    const { after, limit } = query;
    const page = await runs.page({ runId, after, limit, types: decodeTypes(query) });
    return {
      run_id: runId,
      events: page.events.map(encodeEvent),
      through_seq: page.throughSeq,
      has_more: page.hasMore,
    };
  },
});

export const readPrompt = define({
  name: 'runs.prompt',
  method: 'GET',
  path: '/v1/runs/:run_id/turns/:turn/prompt',
  effect: 'read',
  summary: 'Read what a model was asked in a turn',
  description:
    'System prompt and messages as the model got them, redacted as the log is. Made by playing the run again up to that turn: ' +
    '409 when that goes another way by now, or while the turn has no answer yet.',
  tags: ['runs'],
  errors: [400, 401, 403, 404, 409, 410, 413, 429, 500, 503],
  wire: ({ turnParams, turnPrompt }) => ({
    params: turnParams,
    answers: { 200: answer('The prompt.', turnPrompt) },
  }),
  async run({ replays }: LogReading, { params }) {
    const runId = params.run_id as RunId;
    return encodePrompt(runId, await replays.prompt(runId, params.turn));
  },
});

export const downloadBundle = define({
  name: 'runs.bundle',
  method: 'GET',
  path: '/v1/runs/:run_id/bundle',
  effect: 'read',
  files: { answer: BUNDLE_TYPE },
  summary: 'Download the bundle of a run',
  description:
    'The files of an ended run in one: input, prompt, events, tool calls, output, and hashes of them. A gzipped tar archive ' +
    'with a folder named after the run.',
  tags: ['runs'],
  errors: [400, 401, 403, 404, 409, 410, 413, 429, 500, 503],
  wire: ({ runParams, bundleBytes }) => ({
    params: runParams,
    answers: { 200: answer('The archive.', bundleBytes) },
  }),
  run: ({ packBundle }: LogReading, { params }) => packBundle(params.run_id as RunId),
});

export const LOG_OPERATIONS: readonly AnyOperation<LogReading>[] = [
  readLog,
  readPrompt,
  downloadBundle,
];
