import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS, whole } from './schema-bounds.ts';

/** Section of the config about how long the events of ended runs are kept. */
export const events = z
  .strictObject({
    retention_days: whole(0, 36_500)
      .default(0)
      .describe(
        'Days after the end of a run that its events are kept; then only the newest stays. 0: for ever.',
      ),
    retention_max_per_run: whole(0, 100_000_000)
      .default(0)
      .describe('Newest events that are kept of an ended run; older ones go. 0: all.'),
    retention_grace_ms: whole(MINUTE_MS, 30 * DAY_MS)
      .default(HOUR_MS)
      .describe(
        'How long after its end a run keeps all its events, whatever the other fields say: readers may still be on their way.',
      ),
    janitor_interval_ms: whole(1000, DAY_MS)
      .default(10 * MINUTE_MS)
      .describe('How often old events are looked for and deleted.'),
  })
  .prefault({});

export type EventsConfig = z.infer<typeof events>;
