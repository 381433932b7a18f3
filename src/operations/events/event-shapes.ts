import { z } from 'zod';
import { EVENT_TYPES } from '../../core/events/event.ts';
import { agentId } from '../fields.ts';
import { runEvent } from '../runs/run-shapes.ts';

/** What the stream of all events is asked for. */
const MAX_TYPES_CHARS = 512;

export const eventTypes = z
  .string()
  .max(MAX_TYPES_CHARS)
  .refine(areEventTypes, { error: 'must name event types' })
  .meta({ description: 'Event types, separated by commas.' });

export const typesQuery = z.strictObject({
  types: eventTypes.optional(),
  deltas: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: with `model.delta`, which is left out otherwise.' }),
});

export const watchQuery = typesQuery.extend({ agent_id: agentId.optional() });

export const watchedEvent = runEvent;

export type TypesQueryShape = z.infer<typeof typesQuery>;
export type WatchQueryShape = z.infer<typeof watchQuery>;

function areEventTypes(text: string): boolean {
  const known: readonly string[] = EVENT_TYPES;
  return text.split(',').every((name) => known.includes(name));
}
