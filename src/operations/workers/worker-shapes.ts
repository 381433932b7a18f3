import { z } from 'zod';
import { ADAPTER_NAMES, WORKER_ID_PATTERN, WORKER_STATUSES } from '../../core/workers/worker.ts';
import { isoDate, pageCursor, pageLimit, storable } from '../fields.ts';

/** Workers of all principals as `/api/admin` shows them. */
const MAX_REASON_CHARS = 500;

export const workerQuery = z.strictObject({
  status: z.enum(WORKER_STATUSES).optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const workerParams = z.strictObject({
  worker_id: z
    .string()
    .regex(WORKER_ID_PATTERN, {
      error: 'must be 3 to 160 letters, digits, dots, colons, dashes or underscores',
    })
    .meta({ examples: ['codexw_01jv8z4q0k6c'] }),
});

export const stopBody = z
  .strictObject({ reason: storable(MAX_REASON_CHARS).min(1).optional() })
  .nullable();

export const worker = z
  .object({
    worker_id: z.string(),
    owner: z.string().meta({ examples: ['user:42'] }),
    status: z.enum(WORKER_STATUSES),
    adapter: z.enum(ADAPTER_NAMES),
    command: z.string().nullable(),
    workspace_ref: z.string().nullable(),
    requests_count: z.int().meta({ description: 'That it was given so far.' }),
    latest_seq: z.int(),
    heartbeat_state: z.enum(['fresh', 'stale', 'missing', 'stopped', 'failed']),
    heartbeat_age_ms: z.int().nullable(),
    heartbeat_stale_after_ms: z.int(),
    last_heartbeat_at: isoDate.nullable(),
    started_at: isoDate.nullable(),
    stopped_at: isoDate.nullable(),
    updated_at: isoDate,
  })
  .meta({ id: 'Worker' });

export const workerPage = z.object({
  workers: z.array(worker),
  next_cursor: z.string().nullable(),
});

export type WorkerShape = z.infer<typeof worker>;
