import { z } from 'zod';
import { MAX_KEY_CHARS } from '../../core/reliability/idempotency/idempotency-key.ts';
import { RELIABILITY_MODES } from '../../core/reliability/reliability-mode.ts';
import { anyJson, integerParam, isoDate, pageCursor, storable, toolName } from '../fields.ts';

/** A stored key is escaped, and a cursor encodes it once more. */
const MAX_KEY_CURSOR_CHARS = 8_192;
/** A record may hold a quarter of a megabyte, which is read and left out. */
const MAX_KEYS_PAGE = 100;
const DEFAULT_KEYS_PAGE = 50;

export const circuit = z
  .object({
    tool: z.string(),
    status: z.enum(['closed', 'open', 'half_open', 'forced_open']),
    failures: z.int().meta({ description: 'In a row, while closed.' }),
    measured: z.int().meta({ description: 'Calls in the window, while closed.' }),
    failed: z.int().meta({ description: 'Of those measured.' }),
    retry_in_ms: z
      .number()
      .nullable()
      .meta({ description: 'Until the next trial; null when closed or opened by an operator.' }),
  })
  .meta({ id: 'CircuitBreaker' });

const toolSummaryFields = {
  name: z.string(),
  effect: z.enum(['read', 'write']),
  idempotent: z.boolean(),
  guarded: z.boolean().meta({ description: 'Whether the reliability mode covers it.' }),
  off: z.object({ reason: z.string(), fix: z.string() }).nullable().meta({
    description: 'Why nobody is offered it, and what changes that, a command or a restart.',
  }),
  circuit_breaker: circuit,
  source: z.string(),
};

export const toolList = z.object({
  tools: z.array(z.object(toolSummaryFields)),
});

export const toolDetail = z
  .object({
    ...toolSummaryFields,
    description: z.string(),
    aliases: z.array(z.string()),
    dedupe: z.boolean(),
    sends_key: z.boolean(),
    traits: z.array(z.string()),
    required_mode: z.string(),
    limits: z.object({ timeout_ms: z.number(), max_output_bytes: z.number() }),
    reliability: z.object({
      mode: z.enum(RELIABILITY_MODES),
      breaker: z.object({
        failure_threshold: z.number(),
        failure_rate: z.number(),
        window_size: z.number(),
        reset_timeout_ms: z.number(),
        half_open_concurrency: z.number(),
        successes_to_close: z.number(),
        trial_lease_ms: z.number(),
      }),
      retry: z.object({
        max_retries: z.number(),
        initial_delay_ms: z.number(),
        max_delay_ms: z.number(),
        deadline_ms: z.number(),
      }),
      idempotency: z.object({
        success_ttl_ms: z.number(),
        failure_ttl_ms: z.number(),
        lease_ms: z.number(),
        duplicates: z.enum(['wait', 'fail_fast']),
        max_wait_ms: z.number(),
        max_result_bytes: z.number(),
        key_window_ms: z.number(),
      }),
    }),
    input_schema: z.record(z.string(), anyJson),
  })
  .meta({ id: 'Tool' });

export const idempotencyKeyList = z.object({
  tool: z.string(),
  keys: z.array(
    z.object({
      key: z.string(),
      state: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
      payload_digest: z.string(),
      has_result: z.boolean(),
      not_kept: z.string().nullable().meta({ description: 'Why a result is not there.' }),
      error_code: z.string().nullable(),
      created_at: isoDate,
      updated_at: isoDate,
      lease_until: isoDate.nullable(),
      expires_at: isoDate,
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const flushReceipt = z.object({ tool: z.string(), flushed: z.int() });

export const reliabilityReport = z.object({
  mode: z.enum(RELIABILITY_MODES),
  since: isoDate.nullable(),
  tools: z.array(
    z.object({
      tool: z.string(),
      total: z.int(),
      decisions: z.object({
        would_refuse_input: z.int(),
        would_replay: z.int(),
        would_wait: z.int(),
        would_conflict: z.int(),
        would_cut_off: z.int(),
        would_retry: z.int(),
        would_time_out: z.int(),
      }),
      last_at: isoDate,
    }),
  ),
});

export const toolParams = z.strictObject({ tool: toolName });

/** The path tells all. */
export const circuitBody = z.strictObject({}).nullable();

export const listKeysQuery = z.strictObject({
  limit: integerParam(1, MAX_KEYS_PAGE).prefault(DEFAULT_KEYS_PAGE),
  cursor: pageCursor(MAX_KEY_CURSOR_CHARS).optional(),
});

export const flushBody = z
  .strictObject({
    key: storable(MAX_KEY_CHARS)
      .min(1)
      .optional()
      .meta({ description: 'Only this one. Absent: all keys of the tool.' }),
  })
  .nullable();

export type CircuitShape = z.infer<typeof circuit>;
export type ToolListShape = z.infer<typeof toolList>;
export type ToolDetailShape = z.infer<typeof toolDetail>;
export type IdempotencyKeyListShape = z.infer<typeof idempotencyKeyList>;
export type ReliabilityReportShape = z.infer<typeof reliabilityReport>;
export type KeyQuery = z.infer<typeof listKeysQuery>;
