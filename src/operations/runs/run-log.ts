import type { RunId } from '../../core/ids.ts';
import type { RunReader } from '../../core/runs/runs.ts';
import { decodeTypes } from '../events/event-codec.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeEvent } from './run-codec.ts';

export interface LogReading {
  readonly runs: Pick<RunReader, 'get' | 'page'>;
}

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

export const LOG_OPERATIONS: readonly AnyOperation<LogReading>[] = [readLog];
