import * as z from 'zod';
import { AGENT_REFERENCE_PATTERN, AGENT_REFERENCE_RULE } from '../../core/agents/resolve-agent.ts';
import { DEFAULT_AGENT_ID, RUN_ID_PATTERN } from '../../core/ids.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';

/** What the tools for runs take. The texts are for the model on the other side. */
export const MAX_MESSAGE_CHARS = 256 * 1024;
const MAX_REASON_CHARS = 500;
const MAX_PAGE = 100;
const MAX_WAIT_MS = 300_000;

const agentId = z.string().regex(AGENT_REFERENCE_PATTERN, { error: AGENT_REFERENCE_RULE });
const runId = z
  .string()
  .regex(RUN_ID_PATTERN, { error: 'must be the id of a run' })
  .meta({ description: 'The id that run_submit answered with.' });

export const runSubmitInput = z.strictObject({
  message: z
    .string()
    .min(1)
    .max(MAX_MESSAGE_CHARS)
    .refine((text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text), {
      error: 'must be well-formed text without NUL characters',
    })
    .meta({ description: 'What the agent is asked to do.' }),
  agent_id: agentId.prefault(DEFAULT_AGENT_ID).meta({ description: 'Who does it.' }),
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({ description: 'The same key with the same request answers with the first run.' }),
});

export const runGetInput = z.strictObject({ run_id: runId });

export const runListInput = z.strictObject({
  status: z.enum(RUN_STATUSES).optional(),
  agent_id: agentId.optional(),
  limit: z.int().min(1).max(MAX_PAGE).prefault(20),
  before: runId.optional().meta({ description: 'The `next` of the page before.' }),
});

export const runCancelInput = z.strictObject({
  run_id: runId,
  reason: z.string().max(MAX_REASON_CHARS).prefault('').meta({ description: 'Kept in its log.' }),
});

export const runWaitInput = z.strictObject({
  run_id: runId,
  timeout_ms: z
    .int()
    .min(1)
    .max(MAX_WAIT_MS)
    .prefault(30_000)
    .meta({ description: 'How long to wait for its end; the run goes on after that.' }),
});
