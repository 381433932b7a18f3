import { defined } from '../../core/defined.ts';
import { EVENT_TYPES, type EventType } from '../../core/events/event.ts';
import type { WatchRequest } from '../../core/events/watch-events.ts';
import type { AgentId } from '../../core/ids.ts';
import type { TypesQueryShape, WatchQueryShape } from './event-shapes.ts';

export function decodeWatchFilter(query: WatchQueryShape): Pick<WatchRequest, 'types' | 'agentId'> {
  const { agent_id: agentId } = query;
  return { types: decodeTypes(query), ...defined({ agentId: agentId as AgentId | undefined }) };
}

/** Pieces of streamed text are most of all events, and nobody gets them who did not ask. */
export function decodeTypes({ types, deltas }: TypesQueryShape): ReadonlySet<EventType> {
  const named = EVENT_TYPES.filter(types === undefined ? isNoDelta : isOneOf(types));
  return new Set([...named, ...(deltas === 'true' ? (['model.delta'] as const) : [])]);
}

function isNoDelta(type: EventType): boolean {
  return type !== 'model.delta';
}

function isOneOf(types: string): (type: EventType) => boolean {
  const names = types.split(',');
  return (type) => names.includes(type);
}
