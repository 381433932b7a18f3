import type { ReadStatus } from '../../core/status.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeStatus } from './status-codec.ts';

export interface StatusReading {
  readonly readStatus: ReadStatus;
}

const define = operationsWith(() => import('./status-shapes.ts'));

export const readStatus = define({
  name: 'status.read',
  method: 'GET',
  path: '/api/admin/status',
  effect: 'read',
  summary: 'The runtime at a glance',
  description:
    'The newest runs, counts, the model that runs get, the scheduler, and what waits for a person. Fewer runs than ' +
    '`limit` are shown when their texts are long.',
  tags: ['status'],
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ statusQuery, status }) => ({
    query: statusQuery,
    answers: { 200: answer('How it is now.', status) },
  }),
  run: async (deps: StatusReading, { query }) => encodeStatus(await deps.readStatus(query)),
});

export const STATUS_OPERATIONS: readonly AnyOperation<StatusReading>[] = [readStatus];

/** The fewest runs there can be: for those who look at the counts, and leave runs to their own list. */
export const COUNTS_ONLY = { query: { limit: 1 } };
