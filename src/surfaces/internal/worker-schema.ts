import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import { ADAPTER_NAMES, WORKER_ID_PATTERN, WORKER_STATUSES } from '../../core/workers/worker.ts';
import { integerParam, isoDate, storable } from '../../operations/fields.ts';
import { isShallow, jsonObject, MAX_NAME_CHARS, streamCursor, tailMs } from './fields.ts';
import { principalHeaders } from './schema.ts';

/** The wire shapes of workers in contract 4. Receipts of creation are in camel case there, everything else is not. */
const MAX_METHOD_CHARS = 255;
const MAX_REQUEST_ID_CHARS = 160;
const MAX_REASON_CHARS = 500;
const MAX_METADATA_CHARS = 16_384;
const MAX_PARAMS_DEPTH = 64;
const MAX_LIST = 200;
const DEFAULT_LIST = 50;
const COMMAND = /^[A-Za-z0-9_-]{1,64}$/;
const EVENT_TYPE = /^worker\.[A-Za-z0-9_.:-]{1,120}$/;

const name = storable(MAX_NAME_CHARS).min(1);

/** Any text: what is no id of ours is answered as one that does not exist. */
export const workerParams = z.object({ worker_id: z.string() });

export const workerHeaders = principalHeaders;

const createWorkerFields = z.object({
  worker_id: z
    .string()
    .regex(WORKER_ID_PATTERN, { error: 'must be 3 to 160 letters, digits, ., _, : or -' })
    .nullish()
    .meta({ description: 'Chosen by the caller, so that it can come back to it.' }),
  workspace_ref: name.nullish(),
  codex_home_ref: name.nullish(),
  adapter: z.enum(ADAPTER_NAMES).nullish().meta({ description: 'Absent: in_memory.' }),
  command: z
    .string()
    .regex(COMMAND, { error: 'must be 1 to 64 letters, digits, _ or -' })
    .nullish()
    .meta({
      description: 'Which configured program `process` starts; may be left out when there is one.',
    }),
  metadata: jsonObject
    .refine((value) => JSON.stringify(value).length <= MAX_METADATA_CHARS, {
      error: `must be at most ${MAX_METADATA_CHARS} characters of JSON`,
    })
    .nullish(),
});

/** May be left out: nothing in it is required. */
export const createWorkerBody = createWorkerFields
  .nullable()
  .transform((fields): z.infer<typeof createWorkerFields> => fields ?? {});

export const workerReceipt = z.object({
  data: z.object({
    workerId: z.string(),
    status: z.enum(WORKER_STATUSES),
    latestSeq: z.int(),
    idempotentReplay: z.boolean(),
  }),
});

const workerFields = {
  worker_id: z.string(),
  status: z.enum(WORKER_STATUSES),
  latest_seq: z.int(),
  workspace_ref: z.string().nullable(),
  codex_home_ref: z.string().nullable(),
  adapter: z.enum(ADAPTER_NAMES),
  command: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  started_at: isoDate.nullable(),
  stopped_at: isoDate.nullable(),
  updated_at: isoDate,
  last_heartbeat_at: isoDate.nullable(),
  heartbeat_state: z.enum(['fresh', 'stale', 'missing', 'stopped', 'failed']),
  heartbeat_age_ms: z.int().nullable(),
  heartbeat_stale_after_ms: z.int(),
};

export const workerSnapshot = z.object({
  data: z.object(workerFields).meta({ id: 'WorkerSnapshot' }),
});

export const listWorkersQuery = z.object({
  status: z.enum(WORKER_STATUSES).optional(),
  workspace_ref: storable(MAX_NAME_CHARS).optional().meta({ description: 'Exactly this one.' }),
  limit: integerParam(1, MAX_LIST).prefault(DEFAULT_LIST),
});

const projection = z.object({
  document_id: z.string(),
  status: z.enum(['in_sync', 'lagging']),
  lag_events: z.int(),
  last_runtime_seq: z.int(),
  projection_version: z.string(),
  last_projected_at: isoDate,
});

export const workerList = z.object({
  data: z.array(
    z.object({
      ...workerFields,
      convex_projection: projection.nullable().meta({ description: 'Null until projected.' }),
    }),
  ),
});

/** Inside `request` or without it; `id` is what JSON-RPC calls it. */
function unwrapRequest(body: unknown): unknown {
  const given = isJsonObject(body) && isJsonObject(body['request']) ? body['request'] : body;
  if (!isJsonObject(given)) return body;
  const { request_id: requestId, id } = given;
  const named = requestId ?? (typeof id === 'number' ? String(id) : id);
  return { request: { ...given, request_id: named } };
}

export const askWorkerBody = z
  .preprocess(
    unwrapRequest,
    z.object({
      request: z.object({
        request_id: storable(MAX_REQUEST_ID_CHARS)
          .min(1)
          .nullish()
          .meta({ description: 'Known once for each worker; made when absent.' }),
        method: storable(MAX_METHOD_CHARS).refine((text) => text.trim() !== '', {
          error: 'is required',
        }),
        params: z
          .unknown()
          .refine((value) => isShallow(value, MAX_PARAMS_DEPTH), {
            error: `must not be nested more than ${MAX_PARAMS_DEPTH} levels deep`,
          })
          .transform((value) => value as JsonValue)
          .optional(),
      }),
    }),
  )
  .meta({
    examples: [
      {
        request: {
          request_id: 'req_001',
          method: 'thread/start',
          params: { prompt: 'Audit this PR' },
        },
      },
    ],
  });

export const workerAnswer = z.object({
  data: z.object({
    worker_id: z.string(),
    request_id: z.string(),
    ok: z.boolean(),
    response: z.record(z.string(), z.unknown()).meta({ description: 'JSON-RPC 2.0.' }),
  }),
});

const stopWorkerFields = z.object({
  reason: storable(MAX_REASON_CHARS).nullish().meta({ description: 'Kept in the event log.' }),
});

export const stopWorkerBody = stopWorkerFields
  .nullable()
  .transform((fields): z.infer<typeof stopWorkerFields> => fields ?? {});

export const stopReceipt = z.object({
  data: z.object({
    worker_id: z.string(),
    status: z.enum(WORKER_STATUSES),
    idempotent_replay: z.boolean(),
  }),
});

function unwrapEvent(body: unknown): unknown {
  return isJsonObject(body) && !isJsonObject(body['event']) ? { event: body } : body;
}

export const reportEventBody = z
  .preprocess(
    unwrapEvent,
    z.object({
      event: z.object({
        event_type: z.string().regex(EVENT_TYPE, { error: 'must start with worker.' }),
        payload: jsonObject.nullish(),
      }),
    }),
  )
  .meta({ examples: [{ event: { event_type: 'worker.heartbeat', payload: {} } }] });

export const reportReceipt = z.object({
  data: z.object({
    worker_id: z.string(),
    seq: z.int(),
    event_type: z.string(),
    payload: z.record(z.string(), z.unknown()),
    occurred_at: isoDate,
  }),
});

export const workerStreamQuery = z.object({
  cursor: streamCursor.optional().meta({
    description: 'Events with a higher `seq` are sent. Absent: those that come from now on.',
  }),
  tail_ms: tailMs,
});

export const workerStreamHeaders = principalHeaders.extend({
  'last-event-id': streamCursor.optional().meta({
    description: 'The same as `cursor`, as readers of event streams send it.',
  }),
});

export const workerStreamFrame = z
  .object({
    workerId: z.string(),
    seq: z.int(),
    eventType: z.string(),
    payload: z.record(z.string(), z.unknown()),
    occurredAt: isoDate,
  })
  .meta({ id: 'WorkerStreamFrame' });

export type CreateWorkerBody = z.infer<typeof createWorkerBody>;
export type WorkerReceipt = z.infer<typeof workerReceipt>;
export type WorkerDocument = z.infer<typeof workerSnapshot>['data'];
export type WorkerList = z.infer<typeof workerList>;
export type WorkerAnswerDocument = z.infer<typeof workerAnswer>;
export type StopReceipt = z.infer<typeof stopReceipt>;
export type ReportReceipt = z.infer<typeof reportReceipt>;
export type WorkerStreamFrame = z.infer<typeof workerStreamFrame>;
