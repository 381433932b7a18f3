import { RuntimeError } from '../../core/errors.ts';
import { staleCursor } from '../../core/events/stale-cursor.ts';
import type { RunId } from '../../core/ids.ts';
import { isTerminal } from '../../core/runs/run.ts';
import type { RunReader } from '../../core/runs/runs.ts';
import { type InputOf, stream, streamsWith } from '../operation.ts';
import { encodeEvent } from './run-codec.ts';
import type { RunReading } from './runs.ts';

const define = streamsWith(() => import('./run-shapes.ts'));

export const streamEvents = define({
  name: 'runs.events',
  method: 'GET',
  path: '/v1/runs/:run_id/events',
  effect: 'read',
  summary: 'Stream the events of a run',
  description:
    'Server-sent events: `id` is the `seq`, `event` the event type, `data` the event as JSON. After the last ' +
    'event of an ended run comes `event: done` with `data: [DONE]`, then the stream closes. It also closes when ' +
    'nothing happens for `tail_ms`; come back with the last id seen.',
  tags: ['runs'],
  errors: [400, 401, 403, 404, 410, 429, 500, 503],
  wire: ({ runParams, eventsQuery, eventsHeaders, runEvent }) => ({
    params: runParams,
    query: eventsQuery,
    headers: eventsHeaders,
    answers: { 200: stream('The events after the cursor, then what happens next.', runEvent) },
  }),
  placeOf: ({ seq }) => seq,
  async *follow({ runs }: RunReading, input, signal) {
    const { runId, after, idleMs, endSeq } = await findPosition(runs, input);
    if (isAtEnd({ after, endSeq })) return;
    for await (const page of runs.tail({ runId, after, idleMs, signal })) {
      yield page.map(encodeEvent);
    }
  },
});

/** Where a reader stands. */
export interface EventPosition {
  readonly runId: RunId;
  readonly after: number;
  /** The last `seq` of a run that has ended. */
  readonly endSeq: number | undefined;
  /** How long to wait for the next event. */
  readonly idleMs: number;
}

export type EventsInput = InputOf<Awaited<ReturnType<typeof streamEvents.wire>>>;

/** A reader without a cursor takes what is kept; one with a cursor counts on getting everything after it. */
export async function findPosition(
  runs: Pick<RunReader, 'get' | 'floor' | 'isOpen'>,
  { params, query, headers }: EventsInput,
): Promise<EventPosition> {
  const cursor = decodeCursors(query.cursor, headers['last-event-id']);
  const runId = params.run_id as RunId;
  const idleMs = query.tail_ms;
  const open = { runId, after: cursor, endSeq: undefined, idleMs };
  if (runs.isOpen(runId)) return open;
  const { status, lastSeq: endSeq } = await runs.get(runId);
  if (!isTerminal(status)) return open;
  const floor = await runs.floor(runId);
  if (cursor > 0 && cursor < floor) throw staleCursor(runId, cursor, floor);
  return { runId, after: Math.max(cursor, floor), endSeq, idleMs };
}

/** Nothing comes any more. */
export function isAtEnd({ after, endSeq }: Pick<EventPosition, 'after' | 'endSeq'>): boolean {
  return endSeq !== undefined && after >= endSeq;
}

function decodeCursors(cursor: number | undefined, lastEventId: number | undefined): number {
  if (cursor !== undefined && lastEventId !== undefined && cursor !== lastEventId) {
    throw new RuntimeError('invalid_input', 'cursor and last-event-id differ');
  }
  return cursor ?? lastEventId ?? 0;
}
