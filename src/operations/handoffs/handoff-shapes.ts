import { z } from 'zod';
import { HANDOFF_STATES } from '../../core/handoffs/handoff.ts';
import { anyId, isoDate, pageCursor, pageLimit, projectId, storable } from '../fields.ts';

/** Hand-offs, as `/api` shows and takes them. */
const MAX_NAME_CHARS = 200;
const MAX_CONTENT_CHARS = 16_000;
const MAX_KEY_CHARS = 255;

const agentName = storable(MAX_NAME_CHARS)
  .trim()
  .min(1, { error: 'must not be empty' })
  .meta({ description: 'Id, slug or name of the agent.', examples: ['lince'] });

const key = storable(MAX_KEY_CHARS).min(1).optional();

export const giveBody = z.strictObject({
  from_agent_id: agentName,
  to_agent_id: agentName,
  project_id: projectId,
  content: storable(MAX_CONTENT_CHARS)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .meta({ examples: ['Update websocket connector to include retry backoff'] }),
  key: key.meta({ description: 'The same again is the same hand-off.' }),
});

export const giveHeaders = z.object({
  'idempotency-key': key.meta({ description: 'The same as `key`.' }),
});

export const given = z.object({ status: z.literal('transferred'), handoff_id: z.string() });

const state = z.enum(HANDOFF_STATES);

export const handoff = z
  .object({
    handoff_id: z.string(),
    from_agent_id: z.string(),
    to_agent_id: z.string(),
    project_id: z.string(),
    content: z.string(),
    state,
    run_id: z.string().nullable().meta({ description: 'The run of the receiver.' }),
    memory_id: z.string().nullable(),
    parent_run_id: z.string().nullable().meta({ description: 'The run that handed over.' }),
    chain: z.array(z.string()).meta({ description: 'Agents that it came through.' }),
    result: z.string().nullable(),
    error: z.string().nullable(),
    owner: z.string(),
    created_at: isoDate,
    ended_at: isoDate.nullable(),
    reported_at: isoDate.nullable().meta({ description: "When the sender's inbox had it." }),
  })
  .meta({ id: 'Handoff' });

export const handoffList = z.object({
  handoffs: z.array(handoff),
  next_cursor: z.string().nullable(),
});

export const handoffParams = z.strictObject({ handoff_id: anyId });

export const listHandoffsQuery = z.strictObject({
  project_id: projectId.optional(),
  agent_id: agentName.optional().meta({ description: 'As sender or as receiver.' }),
  state: state.optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export type HandoffShape = z.infer<typeof handoff>;
export type HandoffListShape = z.infer<typeof handoffList>;
