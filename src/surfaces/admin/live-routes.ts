import { type AgentDirectory, toAgentId } from '../../core/agents/resolve-agent.ts';
import { type WatchDeps, type WatchStep, watchEvents } from '../../core/events/watch-events.ts';
import { decodeWatchFilter } from '../../operations/events/event-codec.ts';
import { streamAllEvents } from '../../operations/events/events.ts';
import { encodeEventText } from '../../operations/runs/run-codec.ts';
import { addStream } from '../http/streams/add-stream.ts';
import { encodeSseFrame } from '../http/streams/sse-frame.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';

const READY = encodeSseFrame({ event: 'ready', data: '{}' });
const LAGGED = encodeSseFrame({ event: 'lagged', data: '{"reload":true}' });

export async function addLiveRoutes(
  app: SurfaceApp,
  deps: WatchDeps & { readonly agents: AgentDirectory },
  kit: SurfaceKit,
): Promise<void> {
  await addStream(app, kit, {
    operation: streamAllEvents,
    async start({ query }) {
      const { agentId: reference, ...filter } = decodeWatchFilter(query);
      if (reference === undefined) return filter;
      return { ...filter, agentId: await toAgentId(deps.agents, reference) };
    },
    async pump(filter, stream) {
      for await (const step of watchEvents(deps, { ...filter, signal: stream.signal })) {
        await stream.send(framesOf(step));
      }
    },
  });
}

function* framesOf(step: WatchStep): Generator<string> {
  if (step.kind === 'ready') yield READY;
  else if (step.kind === 'lagged') yield LAGGED;
  else {
    for (const event of step.events) {
      yield encodeSseFrame({ event: event.type, data: encodeEventText(event) });
    }
  }
}
