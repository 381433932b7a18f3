import { RuntimeError } from '../errors.ts';
import type { Event, EventType } from '../events/event.ts';
import type { AgentId, RunId } from '../ids.ts';

/** Which events of all runs are wanted, newest first. */
export interface EventFilter {
  readonly types: readonly EventType[];
  readonly runId?: RunId;
  readonly agentId?: AgentId;
  /** From this time on. */
  readonly sinceMs?: number;
  /** Before this time. */
  readonly untilMs?: number;
}

export interface EventPage extends EventFilter {
  readonly limit: number;
  /** Where to go on, as the page before said it. Places are the engine's own. */
  readonly before?: string;
}

export interface EventListing {
  readonly events: readonly ListedEvent[];
  /** Undefined: nothing older fits. There may be one behind a page that is not full: an engine looks so far at once. */
  readonly next: string | undefined;
}

export interface ListedEvent {
  /** Behind which the next page begins. */
  readonly place: string;
  readonly event: Event;
}

/** Events that an engine looks through for one page, whether or not they fit. */
export const MAX_LOOKED_AT = 10_000;

export function unknownPlace(): RuntimeError {
  return new RuntimeError('invalid_input', 'cursor is not one that a list answered with');
}
