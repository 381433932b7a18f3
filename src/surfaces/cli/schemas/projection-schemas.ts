import { PROJECTIONS } from '../../../core/projection/projection.ts';
import type { CommandSchema } from './command-schema.ts';
import { count, flag, list, object, oneOf, orNull, text, texts } from './json-schema.ts';

export const PROJECTION_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'projection status': {
    fields: {
      sink: oneOf('none', 'file', 'http'),
      writer: orNull(text),
      failures: count,
      last_error: orNull(text),
      last_failed_at: orNull(text),
      projections: list(
        object({
          projection: oneOf(...PROJECTIONS),
          entities: count,
          in_sync: count,
          lagging: count,
          lag_events: count,
          ahead: count,
          last_projected_at: orNull(text),
          lagging_ids: texts,
        }),
      ),
    },
  },
  'projection rebuild': {
    fields: {
      written: count,
      drifted: count,
      failed: count,
      complete: flag,
      drifts: list(
        object({
          document_id: text,
          drift: oneOf('checkpoint_ahead', 'summary_hash_mismatch', 'projection_version_changed'),
        }),
      ),
      failures: list(object({ document_id: text, message: text })),
    },
  },
};
