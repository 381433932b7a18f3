import { defined } from '../../core/defined.ts';
import { EVENT_TYPES, type EventType } from '../../core/events/event.ts';
import type { WatchRequest } from '../../core/events/watch-events.ts';
import type { AgentId } from '../../core/ids.ts';
import type { WatchQueryShape } from './event-shapes.ts';

export function decodeWatchFilter(query: WatchQueryShape): Pick<WatchRequest, 'types' | 'agentId'> {
  const { agent_id: agentId, types, deltas } = query;
  return {
    types: new Set([
      ...decodeTypes(types),
      ...(deltas === 'true' ? (['model.delta'] as const) : []),
    ]),
    ...defined({ agentId: agentId as AgentId | undefined }),
  };
}

/** All but the pieces of answers, which stand in the answers too, unless they are named. */
export function decodeTypes(types: string | undefined): readonly EventType[] {
  return EVENT_TYPES.filter(types === undefined ? isNoDelta : isOneOf(types));
}

function isNoDelta(type: EventType): boolean {
  return type !== 'model.delta';
}

function isOneOf(types: string): (type: EventType) => boolean {
  const names = types.split(',');
  return (type) => names.includes(type);
}
