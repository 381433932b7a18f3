import { z } from 'zod';
import { PROJECTIONS } from '../../../core/projection/projection.ts';
import { type AnswerShapes, count, texts } from './answer-fields.ts';

export const PROJECTION_SHAPES: AnswerShapes = {
  'projection status': z.object({
    sink: z.enum(['none', 'file', 'http']),
    writer: z.string().nullable(),
    failures: count,
    last_error: z.string().nullable(),
    last_failed_at: z.string().nullable(),
    projections: z.array(
      z.object({
        projection: z.enum(PROJECTIONS),
        entities: count,
        in_sync: count,
        lagging: count,
        lag_events: count,
        ahead: count,
        last_projected_at: z.string().nullable(),
        lagging_ids: texts,
      }),
    ),
  }),
  'projection rebuild': z.object({
    written: count,
    drifted: count,
    failed: count,
    complete: z.boolean(),
    drifts: z.array(
      z.object({
        document_id: z.string(),
        drift: z.enum(['checkpoint_ahead', 'summary_hash_mismatch', 'projection_version_changed']),
      }),
    ),
    failures: z.array(z.object({ document_id: z.string(), message: z.string() })),
  }),
};
