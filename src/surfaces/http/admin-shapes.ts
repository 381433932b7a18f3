import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../core/approvals/approval.ts';
import { EFFECT_STATUSES } from '../../core/effects/effect.ts';
import { RELIABILITY_MODES } from '../../core/reliability/reliability-mode.ts';
import { anyJson, isoDate } from './fields.ts';

/**
 * What `/api/admin` answers with. The surface documents it, and the command line, which asks the same of a server and
 * of the store itself, reads it.
 */
const nextCursor = z.string().nullable();

export const effect = z
  .object({
    id: z.string(),
    run_id: z.string(),
    agent_id: z.string(),
    tool: z.string(),
    tool_call_id: z.string(),
    idempotency_key: z.string().nullable(),
    input_digest: z.string(),
    status: z.enum(EFFECT_STATUSES),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: isoDate,
    updated_at: isoDate,
    resolution: z
      .object({
        status: z.enum(['confirmed', 'failed']),
        by: z.string(),
        note: z.string(),
        at: isoDate,
      })
      .nullable(),
  })
  .meta({ id: 'Effect' });

export const effectList = z.object({ effects: z.array(effect), next_cursor: nextCursor });

export const approval = z
  .object({
    id: z.string(),
    run_id: z.string(),
    agent_id: z.string(),
    request_id: z.string(),
    tool: z.string(),
    tool_call_id: z.string(),
    arguments: anyJson.meta({ description: 'As they were stored, redacted.' }),
    input_digest: z.string(),
    reason: z.string(),
    always: z.string().nullable().meta({
      description:
        'What an approval with `always` would allow from then on; null when no rule can say it, or it is settled.',
    }),
    status: z.enum(APPROVAL_STATUSES),
    created_at: isoDate,
    expires_at: isoDate,
    decided_by: z.string().nullable(),
    decided_at: isoDate.nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Approval' });

export const approvalList = z.object({ approvals: z.array(approval), next_cursor: nextCursor });

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
  next_cursor: nextCursor,
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

export const capabilityList = z
  .object({
    agent_id: z.string(),
    granted: z.array(z.string()).meta({ description: 'The tools that it may use now.' }),
    changes: z
      .array(
        z.object({
          tool: z.string(),
          effect: z.enum(['grant', 'revoke']),
          by: z.string(),
          at: isoDate,
        }),
      )
      .meta({ description: 'What operators said beside the configuration.' }),
  })
  .meta({ id: 'Capabilities' });

export type EffectShape = z.infer<typeof effect>;
export type EffectListShape = z.infer<typeof effectList>;
export type ApprovalShape = z.infer<typeof approval>;
export type ApprovalListShape = z.infer<typeof approvalList>;
export type CircuitShape = z.infer<typeof circuit>;
export type ToolListShape = z.infer<typeof toolList>;
export type ToolDetailShape = z.infer<typeof toolDetail>;
export type IdempotencyKeyListShape = z.infer<typeof idempotencyKeyList>;
export type FlushReceiptShape = z.infer<typeof flushReceipt>;
export type ReliabilityReportShape = z.infer<typeof reliabilityReport>;
export type CapabilityListShape = z.infer<typeof capabilityList>;
