import { z } from 'zod';
import { typesQuery } from '../events/event-shapes.ts';
import { integerParam } from '../fields.ts';
import { runEvent } from './run-shapes.ts';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 200;

export const logQuery = typesQuery.extend({
  after: integerParam(0, Number.MAX_SAFE_INTEGER).prefault(0).meta({
    description: 'Events with a higher `seq`. 0: from the oldest that is kept.',
  }),
  limit: integerParam(1, MAX_LIMIT).prefault(DEFAULT_LIMIT),
});

export const eventPage = z
  .object({
    run_id: z.string(),
    events: z.array(runEvent),
    through_seq: z.int().meta({
      description:
        'How far the log was read: the `after` of the next page, the `cursor` of a stream.',
    }),
    has_more: z.boolean().meta({ description: 'Whether there is more by now.' }),
  })
  .meta({ id: 'EventPage' });
