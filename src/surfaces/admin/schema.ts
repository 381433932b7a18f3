import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../core/approvals/approval.ts';
import { EFFECT_STATUSES } from '../../core/effects/effect.ts';
import { RUN_ID_PATTERN } from '../../core/ids.ts';
import { MAX_KEY_CHARS } from '../../core/reliability/idempotency-key.ts';
import {
  agentId,
  integerParam,
  isoDate,
  pageCursor,
  pageLimit,
  runId,
  storable,
} from '../http/fields.ts';

/** What `/api/admin` is asked with, and answers that only HTTP gives. */
const MAX_NOTE_CHARS = 500;
const MAX_CURSOR_CHARS = 256;
const MAX_TOOL_CHARS = 256;
const MAX_SERVER_CHARS = 128;
/** A stored key is escaped, and a cursor encodes it once more. */
const MAX_KEY_CURSOR_CHARS = 8_192;
/** A record may hold a quarter of a megabyte, which is read and left out. */
const MAX_KEYS_PAGE = 100;
const DEFAULT_KEYS_PAGE = 50;

const id = z.string().regex(RUN_ID_PATTERN, { error: 'must be 1 to 128 letters, digits, _ or -' });
const toolName = storable(MAX_TOOL_CHARS)
  .min(1)
  .meta({ examples: ['http.request'] });
const note = storable(MAX_NOTE_CHARS)
  .optional()
  .meta({ description: 'Kept with the decision.', examples: ['checked with the provider'] });

export const effectParams = z.strictObject({ effect_id: id });
export const listEffectsQuery = z.strictObject({
  status: z.enum(EFFECT_STATUSES).optional(),
  run_id: runId.optional(),
  tool: toolName.optional(),
  limit: pageLimit,
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
});
export const resolveEffectBody = z.strictObject({
  status: z.enum(['confirmed', 'failed']).meta({ description: 'What somebody found out.' }),
  note,
});

export const approvalParams = z.strictObject({ approval_id: id });
export const listApprovalsQuery = z.strictObject({
  status: z.enum(APPROVAL_STATUSES).optional(),
  run_id: runId.optional(),
  limit: pageLimit,
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
});
export const denyBody = z.strictObject({ note }).nullable();
export const approveBody = z
  .strictObject({
    note,
    always: z.boolean().optional().meta({
      description: 'Also write the rule that the approval names as `always`, in force at once.',
    }),
  })
  .nullable();

export const toolParams = z.strictObject({ tool: toolName });
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
export const noBody = z.strictObject({}).nullable();

export const agentParams = z.strictObject({ agent_id: agentId });
export const changeCapabilityBody = z.strictObject({
  tool: toolName.meta({ description: 'A tool, or a prefix that ends in `*`.' }),
  effect: z.enum(['grant', 'revoke']),
});

export const mcpToolParams = z.strictObject({
  server: storable(MAX_SERVER_CHARS).min(1),
  tool: toolName.meta({ description: 'As the server calls it.' }),
});
export const approveToolBody = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })
      .optional()
      .meta({ description: 'What was looked at; 409 when the server shows something else now.' }),
  })
  .nullable();

export const mcpServerList = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      transport: z.enum(['stdio', 'http']).nullable(),
      state: z.enum(['connecting', 'ready', 'waiting', 'invalid', 'disabled', 'closed']),
      last_error: z.object({ phase: z.string(), message: z.string(), at: isoDate }).nullable(),
      next_retry_at: isoDate.nullable(),
      server_info: z.object({ name: z.string(), version: z.string() }).nullable(),
      protocol_version: z.string().nullable(),
      tools: z.array(
        z.object({
          name: z.string().meta({ description: 'As agents call it.' }),
          tool: z.string().meta({ description: 'As the server calls it.' }),
          status: z.enum(['approved', 'pending', 'changed']),
          hash: z.string(),
        }),
      ),
      rejected_tools: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
});

export const toolPin = z.object({
  server: z.string(),
  tool: z.string(),
  status: z.enum(['approved', 'pending', 'changed']),
  hash: z.string(),
  approved_at: isoDate.nullable(),
});

export type McpServerList = z.infer<typeof mcpServerList>;
export type ToolPinShape = z.infer<typeof toolPin>;
