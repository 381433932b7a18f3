import { declarationsWith, stream } from '../operation.ts';

const define = declarationsWith(() => import('./event-shapes.ts'));

/** Only HTTP serves it: beside events it says when it is ready, and that a reader has lagged. */
export const streamAllEvents = define({
  name: 'events.stream',
  method: 'GET',
  path: '/api/admin/events',
  effect: 'read',
  summary: 'Stream what happens in all runs',
  description:
    'Server-sent events from now on: `event` is the event type, `data` the event as JSON. The first frame is ' +
    '`ready`: nothing is missed after it. A reader that is too slow gets `lagged`: events were left out, and what it ' +
    'shows has to be loaded anew. The stream stays open until the reader leaves or the server stops.',
  tags: ['events'],
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ watchQuery, watchedEvent }) => ({
    query: watchQuery,
    answers: { 200: stream('The events of all runs.', watchedEvent) },
  }),
});
