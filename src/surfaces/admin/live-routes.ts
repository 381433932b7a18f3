import { EVENT_TYPES, type EventType } from '../../core/events/event.ts';
import {
  type WatchDeps,
  type WatchRequest,
  type WatchStep,
  watchEvents,
} from '../../core/events/watch-events.ts';
import type { AgentId } from '../../core/ids.ts';
import { BEARER, errorAnswers } from '../http/answers.ts';
import { encodeEvent } from '../http/run-codec.ts';
import { runEvent } from '../http/run-shapes.ts';
import { encodeSseFrame } from '../http/sse-frame.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { liveQuery } from './runtime-schema.ts';

const streamLive = {
  summary: 'Stream what happens in all runs',
  description:
    'Server-sent events from now on: `event` is the event type, `data` the event as JSON. The first frame is ' +
    '`ready`: nothing is missed after it. A reader that is too slow gets `lagged`: events were left out, and what it ' +
    'shows has to be loaded anew. The stream stays open until the reader leaves or the server stops.',
  tags: ['events'],
  security: BEARER,
  querystring: liveQuery,
  response: {
    200: {
      description: 'The events of all runs.',
      content: { 'text/event-stream': { schema: runEvent } },
    },
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const probeLive = { hide: true, querystring: liveQuery };

const READY = encodeSseFrame({ event: 'ready', data: '{}' });
const LAGGED = encodeSseFrame({ event: 'lagged', data: '{"reload":true}' });

export function addLiveRoutes(app: SurfaceApp, deps: WatchDeps, kit: SurfaceKit): void {
  // Not derived from GET: that would open a stream that nobody reads.
  app.head('/events', { schema: probeLive }, async (_request, reply) =>
    reply.type('text/event-stream').send(),
  );

  app.get('/events', { schema: streamLive, exposeHeadRoute: false }, async (request, reply) => {
    const filter = decodeFilter(request.query);
    const stream = kit.streams.open(reply);
    try {
      for await (const step of watchEvents(deps, { ...filter, signal: stream.signal })) {
        await stream.send(framesOf(step));
      }
    } catch (error) {
      // The status line is long gone; an early end makes the reader come back and hear of it then.
      if (!stream.signal.aborted) {
        kit.logger.error({ request_id: request.id, err: error }, 'event stream failed');
      }
    } finally {
      stream.close();
    }
    return reply;
  });
}

interface LiveQuery {
  readonly agent_id?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly deltas?: 'true' | 'false' | undefined;
}

function decodeFilter(query: LiveQuery): Pick<WatchRequest, 'types' | 'agentId'> {
  const { agent_id: agentId, types, deltas } = query;
  const named = types ?? EVENT_TYPES.filter((type) => type !== 'model.delta');
  return {
    types: new Set([...named, ...(deltas === 'true' ? (['model.delta'] as const) : [])]),
    ...(agentId === undefined ? {} : { agentId: agentId as AgentId }),
  };
}

function* framesOf(step: WatchStep): Generator<string> {
  if (step.kind === 'ready') yield READY;
  else if (step.kind === 'lagged') yield LAGGED;
  else {
    for (const event of step.events) {
      yield encodeSseFrame({ event: event.type, data: JSON.stringify(encodeEvent(event)) });
    }
  }
}
