import type { ReadSummary } from '../../core/observability/summary.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeSummary } from './observability-codec.ts';

export interface SummaryReading {
  readonly readSummary: ReadSummary;
}

const define = operationsWith(() => import('./observability-shapes.ts'));

export const readSummary = define({
  name: 'observability.summary',
  method: 'GET',
  path: '/api/observability/summary',
  effect: 'read',
  summary: 'What was refused and what failed of late',
  description:
    'Security events and errors by taxonomy, counted by the minute and kept for a day, with alerts where there are ' +
    'too many.',
  tags: ['observability'],
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ summaryQuery, summary }) => ({
    query: summaryQuery,
    answers: { 200: answer('The summary.', summary) },
  }),
  run: async (deps: SummaryReading, { query }) =>
    encodeSummary(await deps.readSummary(query.window_minutes)),
});

export const OBSERVABILITY_OPERATIONS: readonly AnyOperation<SummaryReading>[] = [readSummary];
