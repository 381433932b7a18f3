import { z } from 'zod';
import { EFFECT_STATUSES } from '../../core/effects/effect.ts';
import { anyId, isoDate, note, pageCursor, pageLimit, runId, toolName } from '../fields.ts';

const OUTCOMES = ['confirmed', 'failed'] as const;

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
        status: z.enum(OUTCOMES),
        by: z.string(),
        note: z.string(),
        at: isoDate,
      })
      .nullable(),
  })
  .meta({ id: 'Effect' });

export const effectList = z.object({
  effects: z.array(effect),
  next_cursor: z.string().nullable(),
});

export const effectParams = z.strictObject({ effect_id: anyId });

export const listEffectsQuery = z.strictObject({
  status: z.enum(EFFECT_STATUSES).optional(),
  run_id: runId.optional(),
  tool: toolName.optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const resolveEffectBody = z.strictObject({
  status: z.enum(OUTCOMES).meta({ description: 'What somebody found out.' }),
  note,
});

export type EffectShape = z.infer<typeof effect>;
export type EffectListShape = z.infer<typeof effectList>;
export type EffectQuery = z.infer<typeof listEffectsQuery>;
