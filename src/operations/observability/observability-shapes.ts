import { z } from 'zod';
import { DEFAULT_WINDOW_MINUTES } from '../../core/observability/summary.ts';
import { isoDate } from '../fields.ts';

const NOT_MINUTES = 'must be a number of minutes above 0';

export const summaryQuery = z.strictObject({
  window_minutes: z
    .preprocess(
      // As in integers of a query: `1e3`, ` 5` and `Infinity` are no numbers to us.
      (value) =>
        typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)
          ? Number(value)
          : value,
      z.number({ error: NOT_MINUTES }).refine((minutes) => minutes > 0, { error: NOT_MINUTES }),
    )
    .prefault(DEFAULT_WINDOW_MINUTES)
    .meta({ description: 'How far back to look; brought to 1 to 1440.' }),
});

const counter = z.object({ key: z.string(), count: z.int() });

export const summary = z
  .object({
    generated_at: isoDate,
    window_minutes: z.int(),
    total_security_events: z.int(),
    total_errors: z.int(),
    security_event_counters: z
      .array(counter)
      .meta({ description: 'Most often first, then by name.' }),
    error_taxonomy_counters: z.array(counter),
    alert_status: z.enum(['nominal', 'watch', 'critical']),
    alerts: z.array(
      z.object({
        id: z.string().meta({ description: 'What there is too much of.' }),
        count: z.int(),
        threshold: z.int(),
        message: z.string(),
        recovery_action: z.string(),
      }),
    ),
  })
  .meta({ id: 'ObservabilitySummary' });

export type SummaryShape = z.infer<typeof summary>;
